// The rows of recordings; part of tables.ts.

/** recording: the file is being written; partial: its end is missing; failed: there is no file. */
export const recordingStatuses = ['recording', 'complete', 'partial', 'failed'] as const
/** Why a recording is partial or failed. */
export const recordingErrors = ['disk_full', 'disk_slow', 'not_writable', 'process_ended'] as const

/** The recording columns of a call's row. */
export type RecordingColumns = {
  recording: string | null // file name below DATA_DIR/recordings, and key of the object
  recordingNode: string | null // the disk it is on (base/process/disk-id.ts), or s3: in the object store; null: recorded before disks had ids
  recordingStatus: (typeof recordingStatuses)[number] | null // null: no recording, or a complete one from before statuses
  recordingError: (typeof recordingErrors)[number] | null
}
export const notRecorded = {
  recording: null,
  recordingNode: null,
  recordingStatus: null,
  recordingError: null,
} as const satisfies RecordingColumns

/** A file of a removed call, to be deleted by the node that has it. */
export type RecordingRemovalRow = {
  node: string
  file: string
  tries: number
  dueAt: string // not before this
  error: string | null // of the last attempt
  createdAt: string
}
