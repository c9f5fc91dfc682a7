// A real CalDAV server, Radicale, for one test file: on loopback, in a folder of its own, with or without a login.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './servers.ts'
import { until } from './until.ts'

export const LOGIN = { username: 'ana', password: 'planted-caldav-pass' }

export async function startRadicale(auth: 'none' | 'htpasswd') {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-radicale-'))
  const port = await freePort()
  const users = join(folder, 'users')
  writeFileSync(users, `${LOGIN.username}:${LOGIN.password}\n`)
  const settings = {
    'server-hosts': `127.0.0.1:${port}`,
    'storage-filesystem-folder': join(folder, 'data'),
    'auth-type': auth,
    'auth-delay': '0',
    'auth-htpasswd-filename': users,
    'auth-htpasswd-encryption': 'plain',
    'logging-level': 'error',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn('radicale', ['--config', '', ...args], { stdio: ['ignore', 'ignore', 'ignore'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const atExit = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', atExit)
  const url = `http://127.0.0.1:${port}`
  const basic = Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64')

  /** An independent client that shares no code with the platform. */
  async function dav(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Basic ${basic}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  await until(
    'Radicale answers',
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    30_000,
  )
  return {
    url,
    dav,
    /** Creates an empty calendar under /ana/. */
    async calendar(name: string, shown = name): Promise<string> {
      const body = `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>${shown}</D:displayname></D:prop></D:set></C:mkcalendar>`
      const { status, text } = await dav('MKCALENDAR', `/ana/${name}/`, body)
      if (status !== 201) throw new Error(`Radicale made no calendar: ${status} ${text}`)
      return `${url}/ana/${name}/`
    },
    /** Stores an event as another program would write it. */
    async put(calendar: string, name: string, lines: readonly string[]): Promise<void> {
      const ics = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Other//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
      const path = `${new URL(calendar).pathname}${name}.ics`
      const { status, text } = await dav('PUT', path, ics, { 'content-type': 'text/calendar' })
      if (status !== 201) throw new Error(`Radicale took no event: ${status} ${text}`)
    },
    async stop(): Promise<void> {
      process.off('exit', atExit)
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
