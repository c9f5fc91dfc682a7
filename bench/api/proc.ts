// CPU time and memory of a process, from Linux's /proc.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

let ticks = 0

/** User and system time of all threads of a process, in seconds. */
export function cpuSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/stat`)
}

/** CPU time of the main thread alone; its thread id is the process id. */
export const mainThreadSeconds = (pid: number): number => secondsIn(`/proc/${pid}/task/${pid}/stat`)

function secondsIn(path: string): number {
  ticks ||= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  const stat = readFileSync(path, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ') // the process name before it may contain spaces
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

/** Resident memory in MB (10^6 bytes). */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kib) * 1024) / 1e6
}
