// A real TURN server (coturn) on loopback for the tests of one file, with a password of its own or a secret shared with
// the platform.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './app.ts'
import { freePort } from './servers.ts'
import { until } from './until.ts'

export type TurnServer = Awaited<ReturnType<typeof startTurnServer>>

export async function startTurnServer(login: { user: string; password: string } | { secret: string }) {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-turn-'))
  const port = await freePort()
  const logFile = join(folder, 'log')
  const who =
    'secret' in login
      ? ['--use-auth-secret', '--static-auth-secret', login.secret]
      : ['--lt-cred-mech', '--user', `${login.user}:${login.password}`]
  const args = [
    ...['-n', '--no-cli', '--no-tls', '--no-dtls', '--verbose', '--simple-log', '--log-file', logFile],
    ...['--listening-ip', '127.0.0.1', '--relay-ip', '127.0.0.1', '--listening-port', String(port)],
    ...['--allow-loopback-peers', '--realm', 'ramal.test', '--pidfile', join(folder, 'pid')],
    ...['--userdb', join(folder, 'users'), ...who],
  ]
  const child = spawn('turnserver', args, { stdio: 'ignore', cwd: folder })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const atExit = () => child.kill('SIGKILL')
  process.once('exit', atExit)
  atEnd(async () => {
    process.off('exit', atExit)
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  })
  const log = () => {
    try {
      return readFileSync(logFile, 'utf8')
    } catch {
      return ''
    }
  }
  await until('the TURN server listens', () => /listener opened on.*127\.0\.0\.1/i.test(log()))
  return { port, log }
}
