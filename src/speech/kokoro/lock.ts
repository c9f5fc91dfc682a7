// Lock file: one preparation at a time per folder, across processes; an abandoned lock is detected.
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const LOCK = 'preparing.lock'
const BEAT_MS = 2000
/** A model run can block the holder's event loop for some seconds; a process that died never updates the lock again. */
const SILENT_MS = 60_000
const LOOK_MS = 250

/** Resolves with the release function. */
export async function lockFolder(folder: string, signal: AbortSignal): Promise<() => Promise<void>> {
  const path = join(folder, LOCK)
  await mkdir(folder, { recursive: true })
  while (!(await tryLock(path))) {
    if (await isAbandoned(path)) await takeAway(path)
    else await sleep(LOOK_MS, undefined, { signal })
  }
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, BEAT_MS)
  beat.unref()
  return async () => {
    clearInterval(beat)
    await rm(path, { force: true })
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    await file.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }))
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const silentMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now())
  if (silentMs > SILENT_MS) return true
  try {
    const { pid, host } = JSON.parse(await readFile(path, 'utf8')) as { pid: number; host: string }
    return host === hostname() && !isAlive(pid)
  } catch {
    return false // just being written, or just removed
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Renamed first: of two processes that find it abandoned only one succeeds, and neither removes the other's new lock.
 */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${process.pid}`
  await rename(path, aside).catch(() => {})
  await rm(aside, { force: true })
}
