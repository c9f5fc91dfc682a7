// The rows of recordings; part of tables.ts.

/** recording: the file is being written; partial: its end is missing; failed: there is no file. */
export const recordingStatuses = ['recording', 'complete', 'partial', 'failed'] as const
/** Why a recording is partial or failed. */
export const recordingErrors = ['disk_full', 'disk_slow', 'not_writable', 'process_ended'] as const

/** The recording columns of a call's row. */
export type RecordingColumns = {
  recording: string | null // file name below DATA_DIR/recordings, and key of the object
  recordingNode: string | null // its disk (base/process/disk-id.ts), or s3: object store; null: before disks had ids
  recordingStatus: (typeof recordingStatuses)[number] | null // null: none, or complete from before statuses
  recordingError: (typeof recordingErrors)[number] | null
}
export const notRecorded = {
  recording: null,
  recordingNode: null,
  recordingStatus: null,
  recordingError: null,
} as const satisfies RecordingColumns

/** A file of a removed call that the node holding it must delete. */
export type RecordingRemovalRow = {
  node: string
  file: string
  tries: number
  dueAt: string // not before this
  error: string | null // of the last attempt
  createdAt: string
}
