// A file as it is handed on: piece by piece, each reading from its beginning.
export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The whole of it in memory, where a parser needs that. */
export const wholeOf = async (pieces: Pieces): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces))
