import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { auth, calendar as googleClient } from '@googleapis/calendar'
import { aPlace, aTool, loopbackTools } from '../../../test/tool-runs.ts'
import { CLINIC, startGoogleCalendar } from '../../../test/vendors/google-calendar.ts'
import { account, client } from '../../../test/vendors/google-tokens.ts'
import type { Json, Outcome, ToolRecord } from '../ports.ts'
import { eventIdOf } from './actions.ts'
import { calendar } from './calendar.ts'

/** A Monday, 09:20 in São Paulo. */
const NOW = Date.parse('2026-03-09T12:20:00Z')

async function open(t: TestContext, config: Json = {}, timeoutMs = 30_000) {
  const google = await startGoogleCalendar()
  t.after(() => google.stop())
  const kind = calendar({ ...loopbackTools(t), googleUrl: google.apiUrl, timeoutMs, now: () => NOW })
  const byKey = { type: 'google_service_account', ...account, tokenUrl: `${google.url}/token` }
  const tool = (fields: Partial<ToolRecord> = {}) =>
    aTool({ type: 'calendar', name: 'agenda', authorization: byKey, config, ...fields })
  let runs = 0
  const use = (operation: string, args: Json = {}, runId = `run-${++runs}`, one = tool()): Promise<Outcome> => {
    assert.equal(kind.problem?.(one) ?? null, null)
    const offer = kind.functions(one).find(({ name }) => name.endsWith(operation))
    assert.ok(offer)
    return offer.run({ id: runId, args, context: aPlace() }, new AbortController().signal)
  }
  return { google, use, tool, byKey }
}
const textOf = (outcome: Outcome): string => (outcome.ok ? outcome.text : `failed: ${outcome.error}`)
const at = (clock: string, day = '10') => ({ dateTime: `2026-03-${day}T${clock}:00-03:00` })

test("the fake server works with Google's own client", async (t) => {
  const { google } = await open(t)
  const login = new auth.OAuth2({
    clientId: client.clientId,
    clientSecret: client.clientSecret,
    endpoints: { oauth2TokenUrl: `${google.url}/token` },
  })
  login.setCredentials({ refresh_token: client.refreshToken })
  const { events } = googleClient({ version: 'v3', auth: login, rootUrl: `${google.url}/`, retry: false })
  const calendarId = CLINIC
  const requestBody = {
    id: 'abc123',
    summary: 'Olá 😀',
    start: at('10:00'),
    end: at('11:00'),
    extendedProperties: { private: { a: 'b' } },
  }
  const { data: made } = await events.insert({ calendarId, requestBody, sendUpdates: 'none' })
  assert.deepEqual(
    [made.id, made.summary, made.status, made.start?.dateTime],
    ['abc123', 'Olá 😀', 'confirmed', '2026-03-10T10:00:00-03:00'],
  )
  await assert.rejects(events.insert({ calendarId, requestBody }), { code: 409 })
  await assert.rejects(events.insert({ calendarId, requestBody: { ...requestBody, id: 'no_such-ID' } }), { code: 400 })
  await events.insert({ calendarId, requestBody: { start: { date: '2026-03-11' }, end: { date: '2026-03-12' } } })
  const range = { calendarId, timeMin: '2026-03-10T00:00:00-03:00', timeMax: '2026-03-12T00:00:00-03:00' }
  google.pages(1)
  const { data: page } = await events.list({
    ...range,
    singleEvents: true,
    orderBy: 'startTime',
    fields: 'nextPageToken,items(id,start)',
  })
  assert.deepEqual(page, { nextPageToken: 'p1', items: [{ id: 'abc123', start: made.start }] })
  const { data: last } = await events.list({ ...range, singleEvents: true, orderBy: 'startTime', pageToken: 'p1' })
  assert.deepEqual([last.items?.length, last.nextPageToken], [1, undefined])
  await assert.rejects(events.list({ ...range, orderBy: 'startTime' }), { code: 400 })
  assert.equal((await events.get({ calendarId, eventId: 'abc123' })).data.etag, made.etag)
  await assert.rejects(events.delete({ calendarId, eventId: 'abc123' }, { headers: { 'if-match': '"0"' } }), {
    code: 412,
  })
  assert.equal((await events.delete({ calendarId, eventId: 'abc123' })).status, 204)
  await assert.rejects(events.delete({ calendarId, eventId: 'abc123' }), { code: 410 })
  assert.equal((await events.get({ calendarId, eventId: 'abc123' })).data.status, 'cancelled')
  await assert.rejects(events.get({ calendarId, eventId: 'none5' }), { code: 404 })
  await assert.rejects(events.list({ calendarId: 'none' }), { code: 404 })
})

test('an appointment is created once, listed and cancelled', async (t) => {
  const { google, use } = await open(t, { calendarId: CLINIC })
  const args = { start: '2026-03-10T14:30', title: 'Consulta da Maria', attendeeEmail: 'maria@example.com' }
  const made = await use('create_event', args, 'run-one')
  const id = eventIdOf('run-one')
  assert.equal(
    textOf(made),
    `Booked: "Consulta da Maria", Tuesday 2026-03-10T14:30-03:00 to 15:00 (America/Sao_Paulo). eventId: ${id}`,
  )
  assert.deepEqual(await use('create_event', args, 'run-one'), made)
  const [event, ...others] = google.events(CLINIC)
  assert.equal(others.length, 0)
  assert.deepEqual(
    [event?.summary, event?.description, event?.start.dateTime],
    ['Consulta da Maria', 'E-mail: maria@example.com', '2026-03-10T14:30:00-03:00'],
  )
  assert.ok(google.asked.every(({ url }) => !/POST|DELETE/.test(url) || url.includes('sendUpdates=none')))
  assert.equal(event?.attendees, undefined)
  assert.match(
    textOf(await use('list_events', { from: '2026-03-10', to: '2026-03-10' })),
    /15:00: "Consulta da Maria" \(eventId ramal/,
  )
  assert.match(
    textOf(await use('create_event', { ...args, title: 'x' })),
    /^failed: That time is taken. Free that day: .*14:00-03:00/,
  )
  assert.match(
    textOf(await use('cancel_event', { start: '2026-03-10T14:30', title: 'maria' })),
    /^Cancelled: "Consulta da Maria"/,
  )
  assert.match(textOf(await use('cancel_event', { eventId: id })), /no such event/)
  // A repeated run does not recreate it.
  assert.match(textOf(await use('create_event', args, 'run-one')), /made before, and cancelled since/)
})

test('free times exclude events on all pages, but not transparent ones', async (t) => {
  const { google, use } = await open(t, { workingHours: { from: '08:00', to: '12:00' }, durationMinutes: 60 })
  google.seed({ id: 'inst_20260310', recurringEventId: 'inst', start: at('09:00'), end: at('10:00') })
  google.seed({ id: 'clear', start: at('10:00'), end: at('11:00'), transparency: 'transparent' })
  google.seed({
    id: 'declined',
    start: at('10:00'),
    end: at('11:00'),
    attendees: [{ self: true, responseStatus: 'declined' }],
  })
  google.seed({ id: 'late1', start: at('11:30'), end: at('11:45') })
  google.seed({ id: 'holiday', start: { date: '2026-03-11' }, end: { date: '2026-03-12' } })
  google.pages(1)
  const free = async (date: string) => textOf(await use('check_availability', { date })).match(/T\d\d:\d\d-/g)
  assert.deepEqual(await free('2026-03-10'), ['T08:00-', 'T10:00-'])
  assert.match(textOf(await use('check_availability', { date: '2026-03-11' })), /^Nothing is free/)
  for (let i = 0; i < 12; i++) google.seed({ id: `many${i}`, start: at('08:00', '12'), end: at('08:30', '12') })
  assert.match(
    textOf(await use('check_availability', { date: '2026-03-12' })),
    /failed: The calendar has too many events/,
  )
})

test('only events created by the owner’s tools can be cancelled', async (t) => {
  const { google, use, tool } = await open(t)
  const id = eventIdOf('run-planted')
  google.seed({ id, summary: 'Theirs', start: at('10:00'), end: at('11:00') })
  assert.match(textOf(await use('cancel_event', { eventId: id })), /failed: That event was not made by this tool/)
  await use('create_event', { start: '2026-03-10T15:00', title: 'Ours' }, 'run-ours')
  const foreign = tool({ userId: 'usr_2' })
  assert.match(
    textOf(await use('cancel_event', { eventId: eventIdOf('run-ours') }, 'x', foreign)),
    /failed: That event was not made/,
  )
  assert.deepEqual(
    google.events().map(({ status }) => status),
    ['confirmed', 'confirmed'],
  )
})

test('a refused token is renewed once; a fixed token is used as it is', async (t) => {
  const { google, use, tool } = await open(t)
  assert.ok((await use('list_events')).ok)
  google.tokens.revoke()
  assert.ok((await use('list_events')).ok)
  assert.equal(google.tokens.made(), 2)
  const refused = textOf(
    await use('list_events', {}, 'x', tool({ authorization: { type: 'bearer', token: 'planted-bearer' } })),
  )
  assert.match(refused, /failed: The calendar does not accept the login/)
  assert.doesNotMatch(refused, /planted/)
})

test('each fault has a readable message, and is in doubt only if the outcome is unknown', async (t) => {
  const { google, use } = await open(t, {}, 2500)
  const book = (runId?: string) => use('create_event', { start: '2026-03-10T10:00', title: 'x' }, runId)
  await use('list_events')
  const faults = [
    ['unauthorized', /does not accept the login/],
    ['throttled', /asked too often/],
    ['broken', /status 500: .*Backend Error/],
    ['wrong', /did not answer as Google Calendar does/],
    ['empty', /did not answer as Google Calendar does/],
    ['silent', /did not answer in time/],
    ['reset-at-once', /connection .* broke/],
  ] as const
  for (const [fault, words] of faults) {
    google.fail(fault)
    const outcome = await book()
    assert.ok(!outcome.ok, fault)
    assert.match(outcome.error, words)
    // It stopped at the first request, which is read-only.
    assert.equal(outcome.isDoubtful, undefined, fault)
    google.heal()
  }
  google.limit(1)
  assert.match(textOf(await book()), /asked too often/)
  assert.deepEqual(google.events(), [])
})

test('an event whose response was lost is found by the second attempt', async (t) => {
  const { google, use } = await open(t)
  google.lose('POST')
  const made = await use('create_event', { start: '2026-03-10T10:00', title: 'x' }, 'run-reset')
  assert.match(textOf(made), /^Booked/)
  assert.equal(google.events().length, 1)
  google.lose('DELETE')
  assert.match(textOf(await use('cancel_event', { eventId: eventIdOf('run-reset') })), /^Cancelled/)
})

test('a calendar that does not exist or is not accessible is reported', async (t) => {
  const { use } = await open(t, { calendarId: 'nobody@example.com' })
  assert.match(textOf(await use('list_events')), /failed: There is no such calendar/)
})
