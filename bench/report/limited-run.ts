// Runs a program to its end or up to a time limit. All of its processes form one group, which is killed at the end.
import { spawn } from 'node:child_process'

/** Time for SIGTERM handlers to end processes in groups of their own. */
const DYING_MS = 5000

/** Resolves with whether the program succeeded. */
export function limitedRun(
  args: readonly string[],
  { cwd, withinMs, dyingMs = DYING_MS }: { cwd: string; withinMs: number; dyingMs?: number },
): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  const end = (signal: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, signal)
    } catch {
      // all of them have exited
    }
  }
  const kill = () => end('SIGKILL')
  const onSignal = () => process.exit(1)
  process.once('exit', kill)
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  return new Promise((resolve) => {
    const timers = [setTimeout(() => end('SIGTERM'), withinMs), setTimeout(kill, withinMs + dyingMs)]
    const settle = (isDone: boolean) => {
      for (const timer of timers) clearTimeout(timer)
      kill() // kills what the program left behind
      process.off('exit', kill)
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      resolve(isDone)
    }
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
  })
}
