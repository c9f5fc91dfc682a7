// Thread niceness: media clock before queries, queries before speech engines.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Sets the niceness of the thread that calls (Linux has one for each), and of those it starts from now on. Anybody may step back;
 * stepping forward needs root or CAP_SYS_NICE, and where it is not granted, or on another system, nothing changes.
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
