// Vectors of meaning as small things: a direction in whole numbers from -127 to 127, one byte each. What that loses is far less than
// what tells two passages apart.

/** The direction of a vector; null where it has none. */
export function quantise(vector: readonly number[]): Int8Array | null {
  let largest = 0
  for (const value of vector) {
    if (!Number.isFinite(value)) return null
    largest = Math.max(largest, Math.abs(value))
  }
  return largest === 0 ? null : Int8Array.from(vector, (value) => Math.round((value / largest) * 127))
}

export const encodeVector = (vector: Int8Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64')

export function decodeVector(text: string): Int8Array {
  const bytes = Buffer.from(text, 'base64')
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

export function dotProduct(a: Int8Array, b: Int8Array): number {
  let product = 0
  for (let i = 0; i < a.length; i++) product += (a[i] as number) * (b[i] as number)
  return product
}

export const lengthOf = (vector: Int8Array): number => Math.sqrt(dotProduct(vector, vector))

const FEW = 8 // passages tell nothing of what is usual
const USUAL = 0.2

/**
 * How much nearer than the usual passage each is, 0 to 1: models differ in what a cosine of 0.5 means, but what is beside the point is about as near as most
 * are.
 */
export function cosineSimilarity(cosines: readonly number[]): number[] {
  const mean = cosines.reduce((sum, value) => sum + value, 0) / Math.max(1, cosines.length)
  const usual = cosines.length < FEW ? USUAL : Math.min(0.95, Math.max(0, mean))
  return cosines.map((value) => Math.min(1, Math.max(0, (value - usual) / (1 - usual))))
}
