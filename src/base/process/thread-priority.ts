// Thread niceness: the media clock first, then voice activity detection, then the main thread, then speech engines.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * A packet that leaves late is audible. Conversations wait for voice activity detection, and callers for conversations:
 * at normal priority, each step of a reply makes the main thread wait for bursts of the others. The first sound is
 * waited for as well; later speech is synthesized ahead. A second opinion on what was heard gives way to all of them.
 */
export const NICENESS = {
  media: -10,
  vad: -9,
  conversation: -5,
  firstSound: -5,
  speech: 0,
  background: 3,
  secondOpinion: 9,
} as const

/**
 * Sets the niceness of the calling thread (Linux has one per thread) and of threads it starts afterwards. Raising it is
 * always allowed; lowering it needs root or CAP_SYS_NICE. Without the permission, or on another system, nothing
 * changes.
 */
export function setThreadNiceness(niceness: number): boolean {
  try {
    const tid = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(tid, niceness)
    return true
  } catch {
    return false
  }
}
