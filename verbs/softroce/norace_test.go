//go:build !race

package softroce_test

// soakDefault is how many messages TestSoak sends in all.
const soakDefault = 100_000
