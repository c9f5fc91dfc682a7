// A shell in a fresh folder, as a reader has it open: one statement after another, with output and exit status.
import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const STATEMENT_MS = 60_000

export type Ran = { status: number; output: string }
export type Shell = { run(statement: string): Promise<Ran>; close(): Promise<void> }

export const isComplete = (statement: string): boolean =>
  spawnSync('bash', ['--norc', '-n', '-c', statement], { stdio: 'ignore' }).status === 0

export function openShell(cwd: string, env: Record<string, string>): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let output = ''
  let wake = () => {}
  const hear = (text: Buffer) => {
    output += text.toString()
    wake()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.stdin.on('error', () => {})
  void ended.then(() => wake())
  let count = 0
  // A response with an error status fails the statement, as a reader would notice it.
  child.stdin.write('set -o pipefail; curl() { command curl --fail-with-body --max-time 30 "$@"; }\n')

  async function run(statement: string): Promise<Ran> {
    const end = `@@end-${++count}`
    output = ''
    child.stdin.write(`${statement}\nprintf '\\n${end} %s@@\\n' "$?"\n`)
    const deadline = AbortSignal.timeout(STATEMENT_MS)
    for (;;) {
      const found = new RegExp(`\\n${end} (\\d+)@@\\n`).exec(output)
      if (found) return { status: Number(found[1]), output: output.slice(0, found.index) }
      if (deadline.aborted || child.exitCode !== null) {
        kill()
        return { status: 124, output: `${output}\n(no end after ${STATEMENT_MS / 1000} s)` }
      }
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), sleep(1000)])
    }
  }

  /** Kills the shell and everything that its statements started. */
  function kill(): void {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process has already exited.
    }
  }
  return {
    run,
    async close() {
      kill()
      await ended
    },
  }
}
