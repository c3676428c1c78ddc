package ordering

const commit = "draft-talpey-rdma-commit-01 section 4"

// The cells of the extension Commit. The draft's table is unfinished; these follow from its text and from RFC 7306
// section 5.4, as the catalogue derives them (I-21).
var (
	coversPlaced = Guarantee{"The first is Placed before the second acts on memory", &Rule{Placed, Executed}}
	coversRead   = Guarantee{"The first has read before the second is Placed", &Rule{ReadGenerated, Executed}}
	coversAtomic = Guarantee{"The first is executed before the second acts on memory", &Rule{AtomicExecuted, Begun}}
	afterEffect  = Guarantee{"The first has its full effect before the second acts on memory", &Rule{Executed, Begun}}

	beginsAfterPlaced      = Guarantee{"The second starts after the first is Placed", &Rule{Placed, Begun}}
	respondsAfterCompleted = Guarantee{"Response will not be generated until the first has been Completed", &Rule{Completed, Responded}}
	executesAfterCompleted = Guarantee{"The second is Placed only after the first has been Completed", &Rule{Completed, Executed}}
	beginsAfterAtomic      = Guarantee{"The second will not be processed until the Atomic Response Message has been generated", &Rule{AtomicResponded, Begun}}
	afterResponse          = Guarantee{"The second will not be processed until the first response has been generated", &Rule{Responded, Begun}}

	atomicAfterEffect   = Guarantee{"The first has its full effect before the Atomic modifies memory", &Rule{Executed, AtomicExecuted}}
	atomicAfterResponse = Guarantee{"The Atomic will not be processed until the first response has been generated", &Rule{Responded, AtomicExecuted}}

	// Queue 1 is in strict order for Reads too (I-11), which the catalogue does not require.
	beginsAfterRead   = Guarantee{"The second will not be processed until the RDMA Read Response Message has been generated", &Rule{ReadGenerated, Begun}}
	readAfterResponse = Guarantee{"RDMA Read Response Message will not be generated until the first response has been generated", &Rule{Responded, ReadGenerated}}
)

// CommitRows holds the rows of the extension Commit, in the order of the catalogue.
var CommitRows = []Row{
	{Write, Flush, commit, "COMMIT01-4-06", [3]Guarantee{coversPlaced, heldUntilPlaced, beginsAfterPlaced}},
	{Write, Verify, commit, "COMMIT01-4-07", [3]Guarantee{coversPlaced, heldUntilPlaced, beginsAfterPlaced}},
	{Write, AtomicWrite, commit, "COMMIT01-4-08", [3]Guarantee{coversPlaced, heldUntilPlaced, beginsAfterPlaced}},
	{Send, Flush, commit, "COMMIT01-4-09", [3]Guarantee{nothing, heldUntilPlaced, respondsAfterCompleted}},
	{Send, Verify, commit, "COMMIT01-4-10", [3]Guarantee{nothing, heldUntilPlaced, respondsAfterCompleted}},
	{Send, AtomicWrite, commit, "COMMIT01-4-11", [3]Guarantee{coversPlaced, heldUntilPlaced, executesAfterCompleted}},
	{Immediate, Flush, commit, "COMMIT01-4-12", [3]Guarantee{nothing, heldUntilPlaced, respondsAfterCompleted}},
	{Immediate, Verify, commit, "COMMIT01-4-13", [3]Guarantee{nothing, heldUntilPlaced, respondsAfterCompleted}},
	{Immediate, AtomicWrite, commit, "COMMIT01-4-14", [3]Guarantee{coversPlaced, heldUntilPlaced, executesAfterCompleted}},
	{Read, Flush, commit, "COMMIT01-4-15", [3]Guarantee{nothing, nothing, beginsAfterRead}},
	{Read, Verify, commit, "COMMIT01-4-16", [3]Guarantee{nothing, nothing, beginsAfterRead}},
	{Read, AtomicWrite, commit, "COMMIT01-4-17", [3]Guarantee{coversRead, nothing, beginsAfterRead}},
	{Atomic, Flush, commit, "COMMIT01-4-18", [3]Guarantee{coversAtomic, nothing, beginsAfterAtomic}},
	{Atomic, Verify, commit, "COMMIT01-4-19", [3]Guarantee{coversAtomic, nothing, beginsAfterAtomic}},
	{Atomic, AtomicWrite, commit, "COMMIT01-4-20", [3]Guarantee{coversAtomic, nothing, beginsAfterAtomic}},
	{Flush, Write, commit, "COMMIT01-4-21", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Flush, Send, commit, "COMMIT01-4-22", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Flush, Immediate, commit, "COMMIT01-4-23", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Flush, Read, commit, "COMMIT01-4-24", [3]Guarantee{nothing, nothing, readAfterResponse}},
	{Flush, Atomic, commit, "COMMIT01-4-25", [3]Guarantee{atomicAfterEffect, nothing, atomicAfterResponse}},
	{Verify, Write, commit, "COMMIT01-4-26", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Verify, Send, commit, "COMMIT01-4-27", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Verify, Immediate, commit, "COMMIT01-4-28", [3]Guarantee{nothing, mayPass, notApplicable}},
	{Verify, Read, commit, "COMMIT01-4-29", [3]Guarantee{nothing, nothing, readAfterResponse}},
	{Verify, Atomic, commit, "COMMIT01-4-30", [3]Guarantee{atomicAfterEffect, nothing, atomicAfterResponse}},
	{AtomicWrite, Write, commit, "COMMIT01-4-31", [3]Guarantee{nothing, mayPass, notApplicable}},
	{AtomicWrite, Send, commit, "COMMIT01-4-32", [3]Guarantee{nothing, mayPass, notApplicable}},
	{AtomicWrite, Immediate, commit, "COMMIT01-4-33", [3]Guarantee{nothing, mayPass, notApplicable}},
	{AtomicWrite, Read, commit, "COMMIT01-4-34", [3]Guarantee{nothing, nothing, readAfterResponse}},
	{AtomicWrite, Atomic, commit, "COMMIT01-4-35", [3]Guarantee{atomicAfterEffect, nothing, atomicAfterResponse}},
	{Flush, Flush, commit, "COMMIT01-4-36", [3]Guarantee{afterEffect, nothing, afterResponse}},
	{Flush, Verify, commit, "COMMIT01-4-37", [3]Guarantee{afterEffect, nothing, afterResponse}},
	{Flush, AtomicWrite, commit, "COMMIT01-4-38", [3]Guarantee{afterEffect, nothing, afterResponse}},
	{Verify, Flush, commit, "COMMIT01-4-39", [3]Guarantee{afterEffect, nothing, afterResponse}},
	{Verify, Verify, commit, "COMMIT01-4-40", [3]Guarantee{afterEffect, nothing, afterResponse}},
	{Verify, AtomicWrite, commit, "COMMIT01-4-41", [3]Guarantee{afterEffect, nothing, afterResponse}},
	{AtomicWrite, Flush, commit, "COMMIT01-4-42", [3]Guarantee{afterEffect, nothing, afterResponse}},
	{AtomicWrite, Verify, commit, "COMMIT01-4-43", [3]Guarantee{afterEffect, nothing, afterResponse}},
	{AtomicWrite, AtomicWrite, commit, "COMMIT01-4-44", [3]Guarantee{afterEffect, nothing, afterResponse}},
}
