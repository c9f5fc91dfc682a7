// The calendar tool through the whole service: a model looks for a free slot and books it in a real CalDAV server, and
// every step is recorded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, atEnd, startTestApp } from '../app.ts'
import { LOGIN, startRadicale } from '../radicale.ts'
import { type ChatAnswer, type ChatRequest, lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'
import { onLoopback } from './counterpart.ts'

/** A day in the future, whenever this runs. */
const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)

test('a model finds a free time, books it and cancels it', async () => {
  const radicale = await startRadicale('htpasswd')
  atEnd(() => radicale.stop())
  const answer = (request: ChatRequest): ChatAnswer => {
    const last = request.messages.at(-1)
    const told = last?.role === 'tool' ? lastSaid(request, 'tool') : ''
    const start = /\d{4}-\d\d-\d\dT\d\d:\d\d/.exec(told)?.[0]
    if (told.startsWith('Free starts'))
      return { calls: [{ name: 'agenda__create_event', args: { start, title: 'Corte', attendeeName: 'Bia' } }] }
    if (last?.role === 'tool') return { say: told }
    const isCancel = String(last?.content).startsWith('Cancel')
    if (!isCancel) return { calls: [{ name: 'agenda__check_availability', args: { date: soon } }] }
    return { calls: [{ name: 'agenda__cancel_event', args: { start: `${soon}T08:00`, title: 'corte' } }] }
  }
  const llm = await startLlm({ answer })
  atEnd(() => llm.stop())
  const env = { LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'small', ...onLoopback }
  const { ana, logs } = await startTestApp(env)
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: tool, status } = await ana.post('/api/tools', {
    name: 'agenda',
    type: 'calendar',
    requestUrl: await radicale.calendar('salon'),
    authorization: { type: 'basic', ...LOGIN },
    config: { timeZone: 'America/Sao_Paulo', workingHours: { days: [1, 2, 3, 4, 5, 6, 7] } },
  })
  assert.equal(status, 201)
  await ana.post(`/api/tools/${tool.id}/agents/${agent.id}`)
  const { json: conversation } = await ana.post('/api/conversations/start', { agentId: agent.id })
  const say = async (content: string): Promise<string> => {
    const url = `/api/conversations/message/send/${conversation.id}?reply=true`
    return (await ana.post(url, { type: 'user', content })).json.reply.content
  }
  assert.match(await say('A haircut, please'), new RegExp(`^Booked: "Corte", \\w+ ${soon}T08:00-03:00 to 08:30`))
  const { text } = await radicale.dav('GET', '/ana/salon/')
  assert.equal(text.match(/BEGIN:VEVENT/g)?.length, 1)
  assert.match(text, new RegExp(`DTSTART:${soon.replaceAll('-', '')}T110000Z`))
  assert.match(await say('Cancel it'), /^Cancelled: "Corte"/)
  assert.doesNotMatch((await radicale.dav('GET', '/ana/salon/')).text, /BEGIN:VEVENT/)

  const { json: calls } = await ana.get(`/api/conversations/${conversation.id}/tool-calls`)
  assert.deepEqual(
    calls.map(({ name, status }: { name: string; status: string }) => [name, status]).sort(),
    ['agenda__cancel_event', 'agenda__check_availability', 'agenda__create_event'].map((name) => [name, 'done']),
  )
  const asked = { function: 'agenda__list_events', arguments: {} }
  const { json: tried, text: shown } = await ana.post(`/api/tools/${tool.id}/test`, asked)
  assert.match(tried.result, /^No events from/)
  assert.doesNotMatch(shown + logs(), new RegExp(LOGIN.password))
})
