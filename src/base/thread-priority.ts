// Thread niceness: media clock before queries, queries before speech engines.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Sets the niceness of the calling thread (Linux has one per thread), and of threads it starts afterwards. Raising it is always
 * allowed; lowering it needs root or CAP_SYS_NICE. Without the permission, or on another system, nothing changes.
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
