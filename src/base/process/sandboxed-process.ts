// Parses untrusted bytes in a child process with limits on time and memory, a few at a time and one per user. A worker
// thread is not enough: an array that outgrows its heap ends the whole process. Node's permission model denies the
// child everything except its own code: an exploited parser can read no key or database, write no file and start no
// program. If the system permits it, the child has no network either.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type TurnLimits, userTurns } from '../domain/user-turns.ts'
import type { ErrorCode } from '../errors/error-codes.ts'
import { AppError, appError, type ErrorKind, type ErrorParams } from '../errors/errors.ts'
import { startWithoutNetwork } from '../network/network-isolation.ts'

/** The child's last message. Its job is our first message to it. */
export type SandboxResult<T> =
  | { ok: true; value: T }
  | { ok: false; kind: ErrorKind; message: string; code: ErrorCode; params: ErrorParams }

/**
 * `limitMs`: time until the child's next message, which for most is the only one. `heapMb` limits the JavaScript heap,
 * `outsideMb` the memory outside it, mostly buffers.
 */
export type SandboxLimits = TurnLimits & { limitMs: number; heapMb: number; outsideMb: number }
const usual: SandboxLimits = {
  limitMs: 30_000,
  heapMb: 384,
  outsideMb: 384,
  atOnce: 2,
  waiting: 40,
  waitingEach: 20,
  waitMs: 60_000,
}

const LOOK_MS = 50
/** Memory of an idle child. */
const BARE_MB = 100

/** `program`: a file whose name ends in -child.ts; `what`: the name of the work in error messages. */
export function sandboxedProcess(program: URL, what: string, given: Partial<SandboxLimits> = {}) {
  const limits = { ...usual, ...given }
  const inTurn = userTurns(limits, () => appError('sandbox_busy', { work: what }, { headers: { 'retry-after': '5' } }))

  async function inChild<T>(
    jobOf: () => object | Promise<object>,
    more?: (child: ChildProcess) => Promise<void>,
  ): Promise<T> {
    const job = await jobOf()
    await breathe() // starting a process blocks for about 10 ms, possibly right after a large request
    const path = fileURLToPath(program)
    const args = ['--permission', ...readable(path), `--max-old-space-size=${limits.heapMb}`]
    const start = await startWithoutNetwork(args)
    return new Promise<T>((resolve, reject) => {
      const child = fork(path, [], {
        ...start,
        env: {},
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'], // a parser's output may quote the file
      })
      const over = (end: () => void) => {
        clearTimeout(late)
        clearInterval(look)
        child.removeAllListeners()
        child.on('error', () => {}) // raised if a message is sent after it has exited
        child.kill('SIGKILL')
        end()
      }
      const fail = (error: unknown) => over(() => reject(error))
      const tooMuch = () => fail(appError('sandbox_memory', { work: what }))
      const late = setTimeout(() => fail(appError('sandbox_timeout', { work: what })), limits.limitMs)
      const mostMb = BARE_MB + limits.heapMb + limits.outsideMb
      const look = setInterval(() => {
        if (residentMb(child.pid) > mostMb) tooMuch()
      }, LOOK_MS)
      child.on('message', (told: SandboxResult<T>) => {
        if (told.ok === undefined)
          late.refresh() // a partial result, for `more`
        else if (told.ok) over(() => resolve(told.value))
        else fail(new AppError(told.kind, told.message, { code: told.code, params: told.params }))
      })
      child.once('error', fail)
      child.once('exit', tooMuch) // if it runs out of memory, it exits without a message
      child.send(job)
      if (more) more(child).catch(fail)
    })
  }

  /** `jobOf` is called just before the child starts, so that waiting jobs hold no bytes. */
  return <T>(
    userId: string,
    jobOf: () => object | Promise<object>,
    more?: (child: ChildProcess) => Promise<void>,
  ): Promise<T> => inTurn(userId, () => inChild<T>(jobOf, more))
}

/** The program itself: our source and its packages, which may be behind a symlink. */
function readable(program: string): string[] {
  const root = join(import.meta.dirname, '../../..')
  const code = ['src', 'node_modules', 'package.json']
    .map((name) => join(root, name))
    .filter((path) => existsSync(path))
  const paths = [...code, program]
  return [...new Set([...paths, ...paths.map((path) => realpathSync(path))])].map((path) => `--allow-fs-read=${path}`)
}

/** Linux reports it in pages of 4 KiB; on other systems, only the heap limit applies. */
function residentMb(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) / 256
  } catch {
    return 0
  }
}
