/*
 * Prints sizes, offsets and values of <infiniband/verbs.h> for abi_test.go,
 * which writes the list of names, abi_names.h, from what the Go package uses.
 */
#include <infiniband/verbs.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(t) printf("size " #t " %zu\n", sizeof(struct t));
#define FIELD(t, f) printf("field " #t "." #f " %zu %zu\n", offsetof(struct t, f), sizeof(((struct t *)0)->f));
#define VALUE(v) printf("value " #v " %lld\n", (long long)(v));

int main(void)
{
#include "abi_names.h"
	return 0;
}
