// The recording of one call: its file and its outcome.
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DISK_SLOW } from '../audio/recorder.ts'
import { WAV_HEADER_BYTES } from '../audio/wav.ts'

export type RecordingError = 'disk_full' | 'disk_slow' | 'not_writable'
export type RecordingOutcome = {
  file: string
  node: string
  /** partial: the end is missing; failed: there is no file. */
  status: 'complete' | 'partial' | 'failed'
  error: RecordingError | null
}

/** Where recordings are written. */
export type RecordingFolder = {
  dir: string
  /** Identifies the disk. */
  node: string
  /** False when the disk is nearly full: no new recording is started. */
  hasRoom(): Promise<boolean>
  onFailed(error: RecordingError): void
}

export function callRecording(folder: RecordingFolder, callId: string) {
  const file = `${callId}.wav`
  const path = join(folder.dir, file)
  let isBegun = false
  let error: RecordingError | null = null

  function failed(reason: RecordingError): void {
    if (error !== null) return
    error = reason
    folder.onFailed(reason)
  }

  return {
    file,
    node: folder.node,

    /** False when the disk has no room. `isOver`: a call that has ended meanwhile is not recorded. */
    async begin(open: (path: string) => Promise<void>, isOver: () => boolean = () => false): Promise<boolean> {
      const hasRoom = await folder.hasRoom()
      if (isOver()) return hasRoom
      isBegun = true
      if (hasRoom) await open(path)
      else failed('disk_full')
      return hasRoom
    },

    failed: (problem: string): void => failed(errorOf(problem)),

    /** To be asked after the file was closed. Undefined: no recording was started. */
    async outcome(): Promise<RecordingOutcome | undefined> {
      if (!isBegun) return undefined
      const size = await sizeOf(path)
      if (error === null && size < WAV_HEADER_BYTES) failed('not_writable')
      if (error === null) return { file, node: folder.node, status: 'complete', error }
      if (size > WAV_HEADER_BYTES) return { file, node: folder.node, status: 'partial', error }
      await rm(path, { force: true }).catch(() => {}) // the sweep finds it
      return { file, node: folder.node, status: 'failed', error }
    },
  }
}

export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

function errorOf(problem: string): RecordingError {
  if (problem === 'ENOSPC' || problem === 'EDQUOT') return 'disk_full'
  return problem === DISK_SLOW ? 'disk_slow' : 'not_writable'
}
