package rdmap

// queue is a growing FIFO. Items are numbered from 0 in the order of push; an item keeps its number.
type queue[T any] struct {
	items       []T    // the length is a power of two
	first, next uint64 // numbers of the oldest item and of the next push
}

func (q *queue[T]) len() int { return int(q.next - q.first) }

// at returns the item with a number in first..next-1. The pointer is valid until the next push.
func (q *queue[T]) at(number uint64) *T { return &q.items[number&uint64(len(q.items)-1)] }

func (q *queue[T]) front() *T { return q.at(q.first) }

func (q *queue[T]) push(item T) {
	if q.len() == len(q.items) {
		larger := make([]T, max(4, 2*len(q.items)))
		for n := q.first; n != q.next; n++ {
			larger[n&uint64(len(larger)-1)] = *q.at(n)
		}
		q.items = larger
	}
	*q.at(q.next) = item
	q.next++
}

// pop removes and returns the oldest item. The pointer is valid until the next push.
func (q *queue[T]) pop() *T {
	item := q.front()
	q.first++
	return item
}

// drop removes the latest n items.
func (q *queue[T]) drop(n int) { q.next -= uint64(n) }

func (q *queue[T]) clear() { q.first = q.next }
