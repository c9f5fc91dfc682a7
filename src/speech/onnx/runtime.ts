// Loads onnxruntime, an optional package, on first use.
import type * as Ort from 'onnxruntime-node'

export type Session = Ort.InferenceSession
export type Runtime = typeof Ort

export const runtimePackage = 'onnxruntime-node'

export const loadRuntime = async (): Promise<Runtime> => {
  const loaded = (await import('onnxruntime-node')) as Runtime & { default?: Runtime }
  return loaded.default ?? loaded
}

/** Spinning threads double the CPU load without any gain (measured). */
export const sessionOptions = (threads: number): Ort.InferenceSession.SessionOptions => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
})
