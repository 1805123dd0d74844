package annotations_test

import (
	"fmt"

	"ibtour/annotations"
)

func Example() {
	book, err := annotations.Load("en")
	if err != nil {
		fmt.Println(err)
		return
	}
	page, _ := book.Step("reg_mr")
	page = page.Fill(func(name string) (string, bool) { return "0x00000842", name == "mr.lkey" })
	fmt.Println(page.Title)
	for _, s := range page.Sections {
		fmt.Println("-", s.Title)
	}
	for _, hit := range book.Find("保护域") {
		fmt.Println(hit.Kind, hit.ID, hit.Title)
	}
	// Output:
	// Register the memory
	// - In user space
	// - In the kernel
	// - In the adapter
	// - What can go wrong
	// - In the C program
	// - See also
	// term pd protection domain, PD
}
