package verbs

// Handle is an object of a driver, as opaque as a pointer is to a C program.
type Handle any

// Driver is a way to reach devices: libibverbs, or the device embedded in
// this program. With List, DriverContext and TurnLoop it is the only seam of
// this package. Drivers return an Errno where the C call would give one.
type Driver interface {
	// DeviceList returns the devices there are (ibv_get_device_list).
	DeviceList() (List, error)
}

// List is a list of devices, in the order of the driver.
type List interface {
	Devices() []DeviceInfo
	// Open opens device i of the list (ibv_open_device).
	Open(i int) (DriverContext, error)
	// Free gives the list back (ibv_free_device_list); open devices stay open.
	Free()
}

// KeyPair holds the keys of a memory region.
type KeyPair struct {
	LKey LKey
	RKey RKey
}

// QPInit is what a driver needs to create a queue pair (struct ibv_qp_init_attr).
type QPInit struct {
	PD     Handle
	SendCQ Handle
	RecvCQ Handle
	Cap    QPCap
	Type   QPType
	SigAll bool
}

// FDs are the file descriptors behind an object; -1 where there is none.
type FDs struct {
	Cmd   int // commands to the kernel
	Async int // asynchronous events
}

// DriverContext is an opened device: the verbs themselves, on opaque handles.
// Lifetime rules are kept by the types above it, errors are the device's.
type DriverContext interface {
	Close() error // ibv_close_device
	FDs() FDs

	QueryDevice() (DeviceAttr, error)
	QueryPort(port uint8) (PortAttr, error)
	// QueryGID returns an entry of a port's GID table; an empty one is ENODATA.
	QueryGID(port uint8, index int) (GIDEntry, error)

	AllocPD() (Handle, error)
	DeallocPD(pd Handle) error
	RegMR(pd Handle, buf *Buffer, access AccessFlags) (Handle, KeyPair, error)
	DeregMR(mr Handle) error
	// Peek copies registered memory from src to dst for an observer. A device
	// that writes from this process does not do so meanwhile; an adapter cannot
	// be held off, so that a byte may be from before its write or from after.
	Peek(dst, src []byte)
	// Booked returns the bytes that the device itself counts as pinned. false:
	// it does not count, but leaves that to the kernel (VmPin).
	Booked() (bytes int64, counts bool)

	CreateCompChannel() (ch Handle, fd int, err error)
	DestroyCompChannel(ch Handle) error
	// CreateCQ returns the queue and the entries granted. channel may be nil.
	CreateCQ(cqe int, channel Handle, vector int) (Handle, int, error)
	DestroyCQ(cq Handle) error
	PollCQ(cq Handle, wc []WC) (int, error)
	ReqNotifyCQ(cq Handle, solicitedOnly bool) error
	// GetCQEvent waits for an event of any queue of the channel, until stop is
	// closed (then ErrStopped).
	GetCQEvent(ch Handle, stop <-chan struct{}) (cq Handle, err error)
	AckCQEvents(cq Handle, n int)

	// CreateQP returns the queue pair, its number and the capacity granted.
	CreateQP(init *QPInit) (Handle, QPN, QPCap, error)
	DestroyQP(qp Handle) error
	ModifyQP(qp Handle, attr *QPAttr, mask AttrMask) error
	QueryQP(qp Handle, mask AttrMask) (QPAttr, error)
	PostSend(qp Handle, wr *SendWR) error
	PostRecv(qp Handle, wr *RecvWR) error

	// GetAsyncEvent waits for an asynchronous event, until stop is closed
	// (then ErrStopped).
	GetAsyncEvent(stop <-chan struct{}) (AsyncEvent, error)
	AckAsyncEvent(AsyncEvent)

	// NewTurnLoop prepares a loop that executes turns on a queue pair. See Turn.
	NewTurnLoop(spec TurnSpec) (TurnLoop, error)
}
