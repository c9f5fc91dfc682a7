// A reader of a guide: a fresh folder with the platform, a shell, and the records that the guide presupposes.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freeTcpPort, freeUdpPort } from '../phones/ports.ts'
import { startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { statementsOf } from './blocks.ts'
import { isComplete, openShell, type Ran } from './shell.ts'

const root = join(import.meta.dirname, '..', '..')
const bin = join(root, 'node_modules', '.bin')

/** Downloads nothing, and runs the server in the background as a second terminal would. */
const npm = `#!/bin/sh
case "$1" in
  ci) test -f package.json; exit ;;
  start) ;;
  *) echo "npm $1 does not run in this test" >&2; exit 1 ;;
esac
start=$(node -p "require('./package.json').scripts.start")
: > server.log
sh -c "$start" >> server.log 2>&1 &
server=$!
echo $server > server.pid
until grep -q 'Ramal listens on' server.log; do
  kill -0 $server 2> /dev/null || { cat server.log; exit 1; }
  sleep 0.1
done
`
const restart = `kill -9 $(cat server.pid); while (exec 3<>/dev/tcp/127.0.0.1/$PORT) 2>/dev/null; do sleep 0.1; done; npm start`

export type Reader = Awaited<ReturnType<typeof openReader>>

export async function openReader() {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-guide-'))
  for (const name of ['src', 'web', 'client', 'docs', 'ramal', 'node_modules'])
    symlinkSync(join(root, name), join(folder, name))
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'npm'), npm)
  chmodSync(join(folder, 'bin', 'npm'), 0o755)
  const llm = await startLlm()
  const [port, sipPort, hookPort] = [await freeTcpPort(), await freeUdpPort(), await freeTcpPort()]
  const shell = openShell(folder, {
    PATH: `${join(folder, 'bin')}:${bin}:${process.env.PATH}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    PORT: String(port),
    SIP_PORT: String(sipPort),
    WEB: 'off',
    EMBEDDED_VOICE: 'off',
    LOG_LEVEL: 'error',
    LLM_BASE_URL: `${llm.url}/v1`,
    LLM_API_KEY: KEY,
    LLM_MODEL: 'gpt-4o-mini',
    HOOK_PORT: String(hookPort),
  })
  const url = `http://localhost:${port}`
  const hookUrl = `http://127.0.0.1:${hookPort}`
  /** The newest id for each prefix: what the reader substitutes for an ellipsis in the guide. */
  const seen = new Map<string, string>()
  const note = (text: string) => {
    for (const [id, prefix = ''] of text.matchAll(/\b([a-z]{2,5})_[0-9a-zA-Z+/=]{20,}/g)) seen.set(prefix, id)
  }

  function filled(text: string): string {
    const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    return text
      .replaceAll(/https:\/\/(voice\.example\.com|…)/g, url)
      .replaceAll('localhost:3000', `localhost:${port}`)
      .replaceAll('https://crm.example.com', hookUrl)
      .replaceAll('https://api.example.com', hookUrl)
      .replaceAll('listen(8080)', `listen(${hookPort})`)
      .replaceAll(/\b20\d\d-\d\d-\d\d(?=T\d\d:\d\d)/g, inAMonth)
      .replaceAll(/\b([a-z]{2,5})_…/g, (_, prefix: string) => seen.get(prefix) ?? `${prefix}_NONE`)
  }

  async function run(statement: string): Promise<Ran> {
    if (statement.includes('campaigns doubts')) putInDoubt()
    const ran = await shell.run(filled(statement))
    note(ran.output)
    return ran
  }

  /** Leaves the state of a crash at the moment of dialing. */
  function putInDoubt(): void {
    const database = new DatabaseSync(join(folder, 'data', 'ramal.db'))
    const contact = database
      .prepare(`select id from "campaignContacts" where "campaignId" = ? limit 1`)
      .get(seen.get('cmp') ?? '')
    database.prepare(`update "campaignContacts" set status = 'in_doubt' where id = ?`).run(contact?.id ?? null)
    database.close()
  }

  async function api(method: string, path: string, body: unknown): Promise<{ id: string }> {
    const key = readFileSync(join(folder, 'data', 'first-api-key'), 'utf8').trim()
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  return {
    folder,
    hookUrl,
    filled,
    run,
    seen: (prefix: string) => seen.get(prefix),
    statements: (text: string) => statementsOf(text, isComplete),
    save: (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text),
    setSettings: (text: string) => writeFileSync(join(folder, '.env'), `${text}\n`, { flag: 'a' }),
    restart: () => shell.run(restart),
    /**
     * The state after the quick start of the README: running, with a key in $KEY, an agent, a trunk, a number and a
     * spreadsheet.
     */
    async start() {
      const started = await shell.run('npm start')
      if (started.status !== 0) throw new Error(started.output)
      await shell.run('export KEY=$(cat data/first-api-key)')
      const agent = await api('POST', '/api/agents', {
        name: 'Ana',
        systemPrompt: 'Você é a Ana.',
        initialSpeech: 'Olá!',
        direction: 'both',
      })
      const trunk = await api('POST', '/api/trunks', {
        name: 'carrier',
        host: '127.0.0.1',
        port: hookPort,
        authMode: 'ip',
      })
      await api('POST', `/api/agents/${agent.id}/link-trunk`, { trunkId: trunk.id, trunkType: 'outbound' })
      const number = await api('POST', '/api/did', {
        phoneNumber: '+551130000001',
        countryCode: '55',
        agentId: agent.id,
      })
      const sheet = await api('POST', '/api/spreadsheets', {
        name: 'Clientes',
        columns: ['Telefone', 'Nome', 'Agente'],
      })
      await api('POST', `/api/spreadsheets/${sheet.id}/rows`, { values: { Telefone: '(11) 98765-1111', Nome: 'Rita' } })
      for (const { id } of [agent, trunk, number, sheet]) note(id)
    },
    async close() {
      await shell.close()
      await llm.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
