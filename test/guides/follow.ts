// Follows a guide: pastes each of its blocks as a reader would, and reports the outcome.
import { spawn } from 'node:child_process'
import { Webhook } from 'standardwebhooks'
import { writeXlsx } from '../../src/csv-xlsx/xlsx.ts'
import { until } from '../until.ts'
import { type Block, blocksOf } from './blocks.ts'
import { openReader, type Reader } from './reader.ts'

export type Outcome = { block: Block; status: 'passed' | 'failed' | 'norun'; detail: string }

/** Languages of blocks that are only shown. */
const shown = new Set(['', 'html', 'js', 'nginx'])

export async function followGuide(guide: string, blocks = blocksOf(guide)): Promise<Outcome[]> {
  const reader = await openReader()
  const outcomes: Outcome[] = []
  try {
    // The first guide starts the platform itself.
    if (guide !== 'first-call') await prepare(reader, guide)
    let example = ''
    for (const block of blocks) {
      if (shown.has(block.language)) continue
      if (block.language === 'json') example = block.text
      const problem = block.norun === null ? await tryBlock(reader, block, example).catch(String) : null
      const status = block.norun !== null ? 'norun' : problem === null ? 'passed' : 'failed'
      outcomes.push({ block, status, detail: block.norun ?? problem ?? '' })
    }
  } finally {
    await reader.close()
  }
  return outcomes
}

async function prepare(reader: Reader, guide: string): Promise<void> {
  // As the guides say: addresses on a private network must be allowed.
  if (guide === 'answer-hook' || guide === 'campaigns') reader.setSettings('ALLOWED_NETWORKS=127.0.0.0/8')
  await reader.start()
  const numbers = 'telefone\n(11) 98765-4321\n'
  for (const month of ['11', '12']) reader.save(`nao-me-ligue-2026-${month}.csv`, numbers)
  reader.save('clientes.csv', 'Telefone,Nome\n(11) 98765-1111,Rita\n')
  reader.save('clientes.xlsx', await writeXlsx(['Telefone', 'Nome'], [['(11) 98765-1111', 'Rita']]))
}

/** Returns what went wrong; null if nothing did. */
async function tryBlock(reader: Reader, { language, text }: Block, example: string): Promise<string | null> {
  if (language === 'sh') return paste(reader, text)
  if (language === 'env') {
    reader.setSettings(reader.filled(text))
    const { status, output } = await reader.restart()
    return status === 0 ? null : output
  }
  if (language === 'json') {
    JSON.parse(text)
    return null
  }
  if (language === 'csv') {
    reader.save('consultas.csv', text)
    return null
  }
  if (language === 'ts') return serve(reader, text, example)
  return `blocks of the language "${language}" are not known here`
}

/** An exit status that the comment on the line announces is expected: `# exit code 2 if …`. */
async function paste(reader: Reader, text: string): Promise<string | null> {
  for (const statement of reader.statements(text)) {
    const { status, output } = await reader.run(statement)
    const announced = /# .*exit code (\d)/.exec(statement)?.[1]
    if (status !== 0 && status !== Number(announced)) return `${statement}\nexit status ${status}\n${output.trim()}`
  }
  return null
}

/**
 * Starts a server and calls it: it must accept the signed example before it, and refuse the same request without a
 * signature.
 */
async function serve(reader: Reader, text: string, example: string): Promise<string | null> {
  reader.save('server.ts', reader.filled(text))
  const secret = reader.seen('whsec') ?? 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: reader.folder,
    env: { PATH: process.env.PATH, HOOK_SECRET: secret, PREDIAL_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  try {
    const ask = (headers: Record<string, string>) =>
      fetch(reader.hookUrl, { method: 'POST', headers, body: example, signal: AbortSignal.timeout(5000) })
    const isUp = () =>
      ask({}).then(
        () => true,
        () => false,
      )
    await until('the server of the guide answers', isUp, 20_000)
    if ((await ask({})).status !== 401) return 'the server takes a request without a signature'
    const [id, at] = ['msg_1', new Date()]
    const signature = new Webhook(secret).sign(id, at, example)
    const seconds = String(Math.floor(at.getTime() / 1000))
    const answer = await ask({ 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature })
    const body = await answer.text()
    return answer.ok && Object.keys(JSON.parse(body)).length > 0 ? null : `${answer.status} ${body}`
  } catch (error) {
    return `${String(error)}\n${said}`
  } finally {
    child.kill('SIGKILL')
  }
}
