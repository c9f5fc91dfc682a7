// Quantized embedding vectors: a direction as int8 values from -127 to 127. The loss is far smaller than the
// differences between passages.

/** The direction of a vector; null if it has none. */
export function quantize(vector: readonly number[]): Int8Array | null {
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

const MIN_FOR_MEAN = 8 // fewer passages say nothing about the typical similarity
const DEFAULT_MEAN = 0.2

/**
 * How much closer than the typical passage each one is, 0 to 1. The meaning of a cosine of 0.5 depends on the model,
 * but irrelevant passages are about as close as most.
 */
export function cosineSimilarity(cosines: readonly number[]): number[] {
  const mean = cosines.reduce((sum, value) => sum + value, 0) / Math.max(1, cosines.length)
  const usual = cosines.length < MIN_FOR_MEAN ? DEFAULT_MEAN : Math.min(0.95, Math.max(0, mean))
  return cosines.map((value) => Math.min(1, Math.max(0, (value - usual) / (1 - usual))))
}
