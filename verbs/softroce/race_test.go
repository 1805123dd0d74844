//go:build race

package softroce_test

// soakDefault is smaller where every access to memory is watched: that makes a
// message ten times as dear.
const soakDefault = 40_000
