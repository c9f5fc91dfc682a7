import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import ICAL from 'ical.js'
import { LOGIN, startRadicale } from '../../../test/radicale.ts'
import { aPlace, aTool } from '../../../test/tool-runs.ts'
import { guardedHttp } from '../../base/outside/guarded-http.ts'
import { checkArguments } from '../arguments.ts'
import { tokenSource } from '../http/oauth.ts'
import type { Json, Outcome, ToolContext, ToolRecord } from '../ports.ts'
import { calendar } from './calendar.ts'

/** A Monday, 09:20 in São Paulo. */
const NOW = Date.parse('2026-03-09T12:20:00Z')
const basic = { type: 'basic', ...LOGIN }

let radicale: Awaited<ReturnType<typeof startRadicale>>
const http = guardedHttp({ allowedNetworks: ['127.0.0.0/8'] })
/** A busy machine may lag by seconds, also between two bookings of the same time. */
const times = { timeoutMs: 60_000, settleMs: 8000 }
const kind = calendar({ http, tokens: tokenSource(http), now: () => NOW, ...times })
let runs = 0

before(async () => {
  radicale = await startRadicale('htpasswd')
})
after(async () => {
  await radicale.stop()
  await http.close()
})

type Use = (operation: string, args?: Json, runId?: string, place?: Partial<ToolContext>) => Promise<Outcome>

/** A tool on its own empty calendar. */
async function open(config: Json = {}, fields: Partial<ToolRecord> = {}) {
  const name = `cal${++runs}`
  const url = await radicale.calendar(name, `Agenda ${name}`)
  const tool = aTool({ type: 'calendar', name: 'agenda', requestUrl: url, authorization: basic, config, ...fields })
  return { url, name, tool, use: useOf(tool) }
}

const useOf =
  (tool: ToolRecord): Use =>
  (operation, args = {}, runId = `run-${++runs}`, place = {}) => {
    assert.equal(kind.problem?.(tool) ?? null, null)
    const offer = kind.functions(tool).find(({ name }) => name.endsWith(operation) || name === tool.name)
    assert.ok(offer, operation)
    const checked = checkArguments(offer.parameters, args)
    assert.ok(checked.ok, checked.ok ? '' : checked.error)
    return offer.run({ id: runId, args: checked.args, context: aPlace(place) }, new AbortController().signal)
  }

const textOf = (outcome: Outcome): string => (outcome.ok ? outcome.text : `failed: ${outcome.error}`)
const idIn = (outcome: Outcome): string =>
  /eventId: (ramal[0-9a-f]{26})$/.exec(textOf(outcome))?.[1] ?? assert.fail(textOf(outcome))

test('an appointment is created, read correctly by other programs, listed and cancelled', async () => {
  const { url, use } = await open()
  const made = await use('create_event', {
    start: '2026-03-10T14:30',
    durationMinutes: 45,
    title: 'Consulta; Maria, "Zé" 😀',
    description: 'Traz exames\nBEGIN:VALARM',
    attendeeName: 'Maria Souza',
    attendeePhone: '+5511987654321',
    attendeeEmail: 'maria@example.com',
  })
  const id = idIn(made)
  assert.equal(
    textOf(made),
    `Booked: "Consulta; Maria, \\"Zé\\" 😀", Tuesday 2026-03-10T14:30-03:00 to 15:15 (America/Sao_Paulo). eventId: ${id}`,
  )
  assert.deepEqual(made.ok && made.variables, { eventId: id, eventStart: '2026-03-10T14:30-03:00' })

  // Fetched by curl, parsed by ical.js.
  const ics = execFileSync('curl', ['-s', '-u', `${LOGIN.username}:${LOGIN.password}`, `${url}${id}.ics`], {
    encoding: 'utf8',
  })
  const event = new ICAL.Event(new ICAL.Component(ICAL.parse(ics)).getFirstSubcomponent('vevent') as never)
  assert.equal(event.summary, 'Consulta; Maria, "Zé" 😀')
  assert.equal(
    event.description,
    'Traz exames\nBEGIN:VALARM\nName: Maria Souza\nPhone: +5511987654321\nE-mail: maria@example.com',
  )
  assert.equal(event.startDate.toJSDate().toISOString(), '2026-03-10T17:30:00.000Z')
  assert.equal(event.endDate.toJSDate().toISOString(), '2026-03-10T18:15:00.000Z')
  assert.equal(event.component.getAllSubcomponents().length, 0)
  assert.deepEqual(event.attendees, [])

  assert.match(
    textOf(await use('list_events', { from: '2026-03-10', to: '2026-03-10' })),
    new RegExp(`Tuesday 2026-03-10T14:30-03:00 to 15:15: "Consulta.*\\(eventId ${id}\\)`),
  )
  assert.equal(
    textOf(await use('cancel_event', { eventId: id })),
    'Cancelled: "Consulta; Maria, \\"Zé\\" 😀", Tuesday 2026-03-10T14:30-03:00 to 15:15.',
  )
  assert.match(
    textOf(await use('cancel_event', { eventId: id })),
    /^There is no such event in the calendar: it was cancelled before/,
  )
  assert.match(textOf(await use('list_events', { from: '2026-03-10', to: '2026-03-10' })), /^No events from/)
})

test('free times exclude events of other programs in any notation', async () => {
  const { url, use } = await open({ workingHours: { from: '08:00', to: '13:00' }, durationMinutes: 60 })
  const at = (day: string, clock: string) => `TZID=America/Sao_Paulo:202603${day}T${clock}00`
  await radicale.put(url, 'weekly', [
    ...['BEGIN:VTIMEZONE', 'TZID:America/Sao_Paulo', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
    ...['TZOFFSETFROM:-0300', 'TZOFFSETTO:-0300', 'END:STANDARD', 'END:VTIMEZONE'],
    'BEGIN:VEVENT',
    'UID:weekly',
    'DTSTAMP:20260101T000000Z',
    `DTSTART;${at('03', '0900')}`,
    `DTEND;${at('03', '1000')}`,
    'RRULE:FREQ=WEEKLY',
    `EXDATE;${at('17', '0900')}`,
    'SUMMARY:Reunião secreta',
    'END:VEVENT',
  ])
  await radicale.put(url, 'day', [
    'BEGIN:VEVENT',
    'UID:day',
    'DTSTAMP:20260101T000000Z',
    'DTSTART;VALUE=DATE:20260311',
    'DTEND;VALUE=DATE:20260312',
    'SUMMARY:Feriado',
    'END:VEVENT',
  ])
  await radicale.put(url, 'free', [
    'BEGIN:VEVENT',
    'UID:free',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260310T130000Z',
    'DTEND:20260310T160000Z',
    'TRANSP:TRANSPARENT',
    'SUMMARY:Aniversário',
    'END:VEVENT',
  ])
  await radicale.put(url, 'gone', [
    'BEGIN:VEVENT',
    'UID:gone',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260310T130000Z',
    'DTEND:20260310T160000Z',
    'STATUS:CANCELLED',
    'SUMMARY:Nada',
    'END:VEVENT',
  ])
  const free = async (date: string) =>
    textOf(await use('check_availability', { date }))
      .match(/T\d\d:\d\d-/g)
      ?.map((text) => text.slice(1, 6))
  assert.deepEqual(await free('2026-03-10'), ['08:00', '10:00', '11:00', '12:00'])
  assert.match(
    textOf(await use('check_availability', { date: '2026-03-11' })),
    /^Nothing is free \(60 minutes.*Working hours: Monday/,
  )
  assert.deepEqual(await free('2026-03-17'), ['08:00', '09:00', '10:00', '11:00', '12:00'])
  // Today: only future times.
  assert.deepEqual(await free('2026-03-09'), ['10:00', '11:00', '12:00'])
  assert.match(textOf(await use('check_availability', { date: '2026-03-06' })), /in the past/)
  assert.match(textOf(await use('check_availability', { date: '2026-06-30' })), /at most 60 days ahead/)
  assert.match(
    textOf(await use('check_availability', { from: '2026-03-10T11:00', to: '2026-03-10T12:00' })),
    /^Free starts \(60 minutes, times of America\/Sao_Paulo\):\nTuesday 2026-03-10T11:00-03:00$/,
  )
  const [, ...shown] = textOf(await use('check_availability', { from: '2026-03-12', to: '2026-04-02' })).split('\n')
  assert.match(shown.pop() ?? '', /^and \d+ more/)
  assert.equal(shown.length, 20)
  assert.match(textOf(await use('check_availability', { date: 'amanhã' })), /failed: .*is no date or time/)

  const listed = textOf(await use('list_events', { from: '2026-03-09', to: '2026-03-12' }))
  assert.doesNotMatch(listed, /Reunião|Feriado|Aniversário|eventId/)
  assert.match(listed, /Tuesday 2026-03-10T09:00-03:00 to 10:00: busy/)
  const details = await open({ showDetails: true }, { requestUrl: url })
  assert.match(
    textOf(await details.use('list_events', { from: '2026-03-09', to: '2026-03-12' })),
    /09:00-03:00 to 10:00: "Reunião secreta"/,
  )
})

test('a time that cannot be booked is refused with a reason and alternatives', async () => {
  const { url, use } = await open({ workingHours: { from: '09:00', to: '12:00' } })
  await radicale.put(url, 'busy', [
    'BEGIN:VEVENT',
    'UID:busy',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260310T130000Z',
    'DTEND:20260310T140000Z',
    'SUMMARY:x',
    'END:VEVENT',
  ])
  const book = async (args: Json) => textOf(await use('create_event', { title: 'x', ...args }))
  assert.equal(
    await book({ start: '2026-03-10T10:15' }),
    'failed: That time is taken. Free that day: 2026-03-10T09:00-03:00, 2026-03-10T09:30-03:00, 2026-03-10T11:00-03:00, 2026-03-10T11:30-03:00.',
  )
  assert.match(await book({ start: '2026-03-09T09:00' }), /in the past/)
  assert.match(await book({ start: '2026-03-10T08:45' }), /outside working hours: Monday, .* 09:00 to 12:00/)
  assert.match(await book({ start: '2026-03-14T10:00' }), /outside working hours/)
  assert.match(await book({ start: '2026-05-29T10:00' }), /too far ahead: at most 60 days/)
  assert.match(await book({ start: '2026-03-10' }), /needs a time of day/)
  assert.match(await book({ start: '2026-03-10T09:00', end: '2026-03-10T08:00' }), /end must be after start/)
  assert.match(await book({ start: '2026-03-10T09:00', title: ' \n ' }), /Missing: title/)
  assert.match(await book({ start: '2026-03-10T09:00', end: '2026-03-10T10:00' }), /^Booked/)
  assert.match(await book({ start: '2026-03-10T09:30' }), /is taken/)
  const twice = await open({ allowOverlap: true }, { requestUrl: url })
  assert.match(textOf(await twice.use('create_event', { start: '2026-03-10T09:30', title: 'y' })), /^Booked/)
})

test('the same run creates one event, however often it runs', async () => {
  const { url, name, use } = await open()
  const args = { start: '2026-03-10T10:00', title: 'Once' }
  const first = await use('create_event', args, 'run-same')
  for (let i = 0; i < 3; i++) assert.deepEqual(await use('create_event', args, 'run-same'), first)
  // The owner moved it to another day: it is still the same event.
  const { text } = await radicale.dav('GET', `/ana/${name}/${idIn(first)}.ics`)
  await radicale.dav('PUT', `/ana/${name}/${idIn(first)}.ics`, text.replaceAll('20260310', '20260312'), {
    'content-type': 'text/calendar',
  })
  assert.match(textOf(await use('create_event', args, 'run-same')), /^Booked: "Once", Thursday 2026-03-12T10:00/)
  const { text: all } = await radicale.dav('GET', new URL(url).pathname)
  assert.equal(all.match(/BEGIN:VEVENT/g)?.length, 1)
})

test('of many concurrent bookings of the same time one succeeds', async () => {
  const { url, use } = await open()
  const times = ['10:00', '10:15', '10:00', '09:45', '10:00']
  const outcomes = await Promise.all(
    times.map((clock) => use('create_event', { start: `2026-03-11T${clock}`, title: clock })),
  )
  const { text } = await radicale.dav('GET', new URL(url).pathname)
  const won = outcomes.filter(({ ok }) => ok)
  assert.equal(text.match(/BEGIN:VEVENT/g)?.length ?? 0, won.length)
  assert.ok(won.length <= 2, textOf(outcomes[0] as Outcome)) // 09:45 and 10:15 do not overlap
  for (const outcome of outcomes) if (!outcome.ok) assert.match(outcome.error, /^That time is taken/)
  const lone = await Promise.all(
    [1, 2, 3].map((i) => use('create_event', { start: '2026-03-12T10:00', title: `${i}` })),
  )
  assert.equal(lone.filter(({ ok }) => ok).length, 1)
})

test('only events created by the owner’s tools can be cancelled', async () => {
  const { url, tool, use } = await open()
  await radicale.put(url, 'theirs', [
    'BEGIN:VEVENT',
    'UID:theirs',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260310T130000Z',
    'DTEND:20260310T140000Z',
    'SUMMARY:Theirs',
    'END:VEVENT',
  ])
  const hostile = `ramal${'0'.repeat(26)}`
  await radicale.put(url, hostile, [
    'BEGIN:VEVENT',
    `UID:${hostile}`,
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20260310T150000Z',
    'DTEND:20260310T160000Z',
    'SUMMARY:Theirs too',
    'END:VEVENT',
  ])
  assert.match(
    textOf(await use('cancel_event', { start: '2026-03-10T10:00', title: 'Theirs' })),
    /failed: No event that was made here/,
  )
  assert.match(textOf(await use('cancel_event', { eventId: hostile })), /failed: That event was not made by this tool/)
  for (const eventId of ['theirs', '../other/x', '%2e%2e', 'ramal'])
    assert.match(textOf(await use('cancel_event', { eventId })), /no such event/)
  assert.match(textOf(await use('cancel_event', {})), /Missing: eventId/)

  await use('create_event', { start: '2026-03-10T14:00', title: 'Avaliação da Ana' })
  const foreign = useOf({ ...tool, userId: 'usr_2' })
  assert.match(
    textOf(await foreign('cancel_event', { start: '2026-03-10T14:00', title: 'avaliacao' })),
    /failed: No event that was made here/,
  )
  // Another tool of the same owner, which can only cancel.
  const canceler = useOf({ ...tool, id: 'tool_2', config: { operation: 'cancel_event' } })
  assert.match(
    textOf(await canceler('cancel_event', { start: '2026-03-10T14:00', title: 'outra' })),
    /under that title/,
  )
  assert.match(
    textOf(await canceler('cancel_event', { start: '2026-03-10T14:00', title: 'avaliacao' })),
    /^Cancelled: "Avaliação da Ana"/,
  )
})

test('the calendar is discovered from the server, a principal or its own URL, and by its name', async () => {
  const { url, name } = await open()
  const from = (requestUrl: string, calendarId?: string) =>
    useOf(aTool({ type: 'calendar', requestUrl, authorization: basic, config: calendarId ? { calendarId } : {} }))
  for (const address of [radicale.url, `${radicale.url}/`, `${radicale.url}/ana/`])
    for (const id of [`agenda ${name}`, name, `/ana/${name}/`])
      assert.ok((await from(address, id)('list_events')).ok, `${address} ${id}`)
  assert.ok((await from(url.replace(/\/$/, ''))('list_events')).ok)
  assert.match(textOf(await from(radicale.url, 'none')('list_events')), /There is no calendar named none/)
  assert.match(textOf(await from(radicale.url)('list_events')), /several calendars/)
  assert.match(textOf(await from(`${radicale.url}/ana/nowhere/`)('list_events')), /failed: There is no such calendar/)
  const wrong = useOf(
    aTool({ type: 'calendar', requestUrl: url, authorization: { ...basic, password: 'planted-wrong' } }),
  )
  const refused = textOf(await wrong('list_events'))
  assert.match(refused, /failed: The calendar does not accept the login/)
  assert.doesNotMatch(refused, /planted/)
})

test("a server without a login works, and the agent's time zone is the default", async () => {
  const plain = await startRadicale('none')
  try {
    const requestUrl = await plain.calendar('open')
    const use = useOf(aTool({ type: 'calendar', requestUrl }))
    const madrid = { timeZone: 'Europe/Madrid' }
    const made = await use('create_event', { start: '2026-03-30T10:00', title: 'x' }, 'run-madrid', madrid)
    assert.match(textOf(made), /Monday 2026-03-30T10:00\+02:00 to 10:30 \(Europe\/Madrid\)/)
    const { text } = await plain.dav('GET', '/ana/open/')
    assert.match(text, /DTSTART:20260330T080000Z/)
  } finally {
    await plain.stop()
  }
})

test("the caller’s number and the owner's own parameters are stored with the event", async () => {
  const { name, use } = await open(
    {},
    { parameters: { type: 'object', properties: { plan: { type: 'string' } }, required: ['plan'] } },
  )
  const call = { direction: 'inbound', fromNumber: '+5511912345678', toNumber: '+551130000000' } as ToolContext['call']
  const made = await use('create_event', { start: '2026-03-10T10:00', title: 'x', plan: 'Gold' }, 'run-plan', { call })
  const { text } = await radicale.dav('GET', `/ana/${name}/${idIn(made)}.ics`)
  assert.match(text, /DESCRIPTION:Phone: \+5511912345678\\nplan: Gold/)
})

test('it offers the configured operations and says what is missing', () => {
  const tool = (fields: Partial<ToolRecord>) =>
    aTool({ type: 'calendar', name: 'agenda', requestUrl: 'https://x.test/', ...fields })
  assert.deepEqual(
    kind.functions(tool({})).map(({ name, hasEffect, isRepeatable }) => [name, hasEffect, isRepeatable]),
    [
      ['agenda__check_availability', false, true],
      ['agenda__create_event', true, true],
      ['agenda__cancel_event', true, true],
      ['agenda__list_events', false, true],
    ],
  )
  assert.deepEqual(
    kind.functions(tool({ config: { operation: 'create_event' } })).map(({ name }) => name),
    ['agenda'],
  )
  const wrong: Partial<ToolRecord>[] = [
    { requestUrl: null, config: { provider: 'caldav' } },
    { requestUrl: null },
    { requestUrl: 'https://x.test/{id}' },
    { config: { provider: 'outlook' } },
    { config: { timeZone: 'Mars/Olympus' } },
    { config: { operation: 'dance' } },
    { config: { workingHours: { from: '18:00', to: '09:00' } } },
    { authorization: { type: 'basic' } },
  ]
  for (const fields of wrong) {
    assert.equal(typeof kind.problem?.(tool(fields)), 'string', JSON.stringify(fields))
    assert.deepEqual(kind.functions(tool(fields)), [])
  }
})
