// Messages to and from a benchmark's child processes: one that exits or stays silent fails the run instead of hanging
// it.
import type { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'

const WITHIN_MS = 60_000

const owned = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of owned) child.kill('SIGKILL')
})

/** Ends the child when this process ends, for whatever reason. */
export function own<C extends ChildProcess>(child: C): C {
  owned.add(child)
  child.once('exit', () => owned.delete(child))
  return child
}

export function nextMessage<T>(child: ChildProcess, withinMs = WITHIN_MS): Promise<T> {
  const name = basename(child.spawnargs[1] ?? child.spawnfile)
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      act()
    }
    const onMessage = (message: unknown) => settle(() => resolve(message as T))
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`${name} ended (${signal ?? `code ${code}`}) before it answered`)))
    const timer = setTimeout(
      () => settle(() => reject(new Error(`${name} did not answer within ${withinMs / 1000} s`))),
      withinMs,
    )
    child.once('message', onMessage)
    child.once('exit', onExit)
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode)
  })
}

/** Sends a message and waits for the answer. */
export function ask<T>(child: ChildProcess, message: object | string, withinMs = WITHIN_MS): Promise<T> {
  const answer = nextMessage<T>(child, withinMs)
  if (child.connected) child.send(message)
  return answer
}

/** Waits for the child to exit; kills it after this long. */
export async function exited(child: ChildProcess, withinMs = 20_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs)
  await new Promise((resolve) => child.once('exit', resolve))
  clearTimeout(timer)
}
