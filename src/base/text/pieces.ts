// A file as a stream of chunks. Each iteration reads it from the start.
export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Reads all of it into memory, for parsers that need that. */
export const wholeOf = async (pieces: Pieces): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces))
