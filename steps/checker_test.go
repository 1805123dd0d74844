package steps

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ibtour/verbs"
)

// checked returns a checker over a buffer with the original's fill.
func checked(t *testing.T, r Role, size int) *checker {
	t.Helper()
	b, err := verbs.AllocBuffer(size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Free(); err != nil {
			t.Error(err)
		}
	})
	copy(b.Bytes(), bytes.Repeat([]byte{fill}, size))
	return newChecker(r, b)
}

func arrive(c *checker, msg []byte) error {
	copy(c.buf, msg)
	return c.received(&verbs.WC{ByteLen: uint32(len(msg))})
}

var checkSizes = []int{1, 2, 7, 4095, 4096, 4097, 1 << 20}

func TestCheckBetweenOurEnds(t *testing.T) {
	for _, size := range checkSizes {
		client, server := checked(t, Client, size), checked(t, Server, size)
		for i := range 5 {
			client.stamp()
			if err := arrive(server, client.buf); err != nil {
				t.Fatalf("size %d, ping %d: %v", size, i, err)
			}
			if err := arrive(client, server.buf); err != nil {
				t.Fatalf("size %d, pong %d: %v", size, i, err)
			}
		}
		if server.stock && size > 1 {
			t.Errorf("size %d: our client was taken for the original", size)
		}
	}
}

// Every byte counts: any single one that is wrong is found, and named.
func TestCheckFindsAnyByte(t *testing.T) {
	const size = 4100
	for _, at := range []int{0, 1, 4095, 4096, size - 1} {
		client, server := checked(t, Client, size), checked(t, Server, size)
		client.stamp()
		if err := arrive(server, client.buf); err != nil {
			t.Fatal(err)
		}
		client.message++
		client.stamp()
		msg := bytes.Clone(client.buf)
		msg[at] ^= 0x10
		var data *DataError
		if err := arrive(server, msg); !errors.As(err, &data) {
			t.Fatalf("byte %d is wrong and the error is %v", at, err)
		}
		want := DataError{Message: 2, Offset: at, Got: client.buf[at] ^ 0x10, Want: client.buf[at]}
		if *data != want {
			t.Errorf("found %+v, want %+v", *data, want)
		}
	}
}

// A message of the round trip before is damage too: the patterns differ.
func TestCheckFindsAnOldMessage(t *testing.T) {
	client, server := checked(t, Client, 64), checked(t, Server, 64)
	client.stamp()
	if err := arrive(server, client.buf); err != nil {
		t.Fatal(err)
	}
	var data *DataError
	if err := arrive(server, client.buf); !errors.As(err, &data) {
		t.Errorf("the same message came twice, and the error is %v", err)
	}
}

// The original's client marks each page once; our server sends its bytes back
// and expects them again.
func TestCheckOriginalClient(t *testing.T) {
	for _, page := range []int{4 << 10, 64 << 10} {
		for _, size := range checkSizes {
			msg := bytes.Repeat([]byte{fill}, size)
			for at := 0; at < size; at += page {
				msg[at] = 0
			}
			server := checked(t, Server, size)
			for i := range 3 {
				if err := arrive(server, msg); err != nil {
					t.Fatalf("page %d size %d message %d: %v", page, size, i, err)
				}
			}
		}
	}
}

// The original's server looks for a zero at the start of each page.
func TestCheckOriginalServer(t *testing.T) {
	for _, size := range checkSizes {
		client := checked(t, Client, size)
		for range 3 {
			client.stamp()
			for at := 0; at < size; at += 4096 {
				if client.buf[at] != 0 {
					t.Fatalf("size %d: byte %d is 0x%02x, and the original's server expects 0", size, at, client.buf[at])
				}
			}
			client.message++
		}
	}
}

func TestCheckClientWithoutMarks(t *testing.T) {
	server := checked(t, Server, 4096)
	err := arrive(server, bytes.Repeat([]byte{fill}, 4096))
	if err == nil || !strings.Contains(err.Error(), "-c") {
		t.Errorf("a client without -c gives %v, want a hint to -c", err)
	}
}

func TestCheckLength(t *testing.T) {
	server := checked(t, Server, 4096)
	err := server.received(&verbs.WC{ByteLen: 4095})
	if want := "message 1 has 4095 bytes, not 4096: give both ends the same -s"; fmt.Sprint(err) != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestCheckOff(t *testing.T) {
	var c *checker
	c.stamp()
	if err := c.received(&verbs.WC{}); err != nil {
		t.Errorf("without -c nothing is checked, and the error is %v", err)
	}
}
