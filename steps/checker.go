package steps

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"ibtour/verbs"
)

// checker validates every byte of every message (-c), of this program and of
// the original alike, without any agreement between the ends.
//
// Both programs use one buffer for sending and receiving, so a server sends
// back what it got: the client can write a new pattern for each round trip and
// expect it back. The original writes a zero at the start of each page before
// its first message, its server looks for these zeros after the last one, and
// what lies between keeps its fill. So our pattern has the zeros too, and a
// server recognises by the first message which of the two it is talking to.
type checker struct {
	role    Role
	buf     []byte
	want    []byte // what the buffer must hold when the next message is in
	random  *rand.PCG
	message uint64 // round trip, from 0
	stock   bool   // the peer is a client of the original program
	lang    string // of its errors
}

// stampEvery is the smallest page there is: a zero at the start of each page
// of any size is then a zero where the original looks for it.
const stampEvery = 4096

func newChecker(r Role, buf *verbs.Buffer) *checker {
	return &checker{
		role: r, buf: buf.Bytes(), want: make([]byte, buf.Len()), random: rand.NewPCG(0, 0),
	}
}

// stamp writes the pattern of the next round trip, on the client. The server
// sends back what it received.
func (c *checker) stamp() {
	if c == nil || c.role != Client {
		return
	}
	c.pattern()
	copy(c.buf, c.want)
}

// pattern puts the bytes of round trip c.message in c.want.
func (c *checker) pattern() {
	c.random.Seed(c.message, fill)
	for at := 0; at < len(c.want); at += 8 {
		word := c.random.Uint64()
		for i := at; i < min(at+8, len(c.want)); i++ {
			c.want[i] = byte(word)
			word >>= 8
		}
	}
	for at := 0; at < len(c.want); at += stampEvery {
		c.want[at] = 0
	}
}

// received validates the message that just came.
func (c *checker) received(wc *verbs.WC) error {
	if c == nil {
		return nil
	}
	if int(wc.ByteLen) != len(c.buf) {
		return wordingIn(c.lang).otherSize.Err(c.message+1, wc.ByteLen, len(c.buf))
	}
	if c.role == Server {
		if err := c.expect(); err != nil {
			return err
		}
	}
	if err := c.compare(); err != nil {
		return err
	}
	c.message++
	return nil
}

// expect prepares c.want on the server: by the first message it learns who the
// client is.
func (c *checker) expect() error {
	if c.message == 0 {
		if !slices.ContainsFunc(c.buf, func(b byte) bool { return b != fill }) {
			return wordingIn(c.lang).unmarked.Err()
		}
		for _, page := range []int{4 << 10, 16 << 10, 64 << 10} {
			if c.original(page); bytes.Equal(c.buf, c.want) {
				c.stock = true
				return nil
			}
		}
	}
	if !c.stock {
		c.pattern()
	}
	return nil
}

// original puts the message of a client of the original program in c.want.
func (c *checker) original(page int) {
	for i := range c.want {
		c.want[i] = fill
		if i%page == 0 {
			c.want[i] = 0
		}
	}
}

func (c *checker) compare() error {
	if bytes.Equal(c.buf, c.want) {
		return nil
	}
	at := 0
	for c.buf[at] == c.want[at] {
		at++
	}
	return &DataError{Message: int(c.message) + 1, Offset: at, Got: c.buf[at], Want: c.want[at], lang: c.lang}
}

// DataError is a message that came with a wrong byte.
type DataError struct {
	Message   int // from 1
	Offset    int // of the first wrong byte
	Got, Want byte

	lang string // of the text
}

// Error tells which byte of which message is wrong.
func (e *DataError) Error() string {
	return wordingIn(e.lang).damaged.With(e.Message, e.Offset, e.Got, e.Want)
}
