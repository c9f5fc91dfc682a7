// `ramal campaigns` and `ramal suppressions` as a script runs them: processes of their own, using the API of a running
// platform.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId } from '../../src/base/ids.ts'
import { now } from '../../src/base/time/clock.ts'
import { anAgent, startTestApp, type TestApp } from '../app.ts'
import { compiled } from '../service.ts'

type Run = { code: number; out: string; err: string }

async function commandLine({ app, config, ana }: Pick<TestApp, 'app' | 'config' | 'ana'>) {
  const url = await app.listen()
  // No database settings: the commands only use the API.
  const env = { PATH: process.env.PATH, ...compiled, DATA_DIR: config.dataDir, RAMAL_API_KEY: ana.key }
  return (...words: string[]) =>
    new Promise<Run>((resolve) => {
      const args = ['src/cli/main.ts', ...words, '--url', `${url}/`]
      execFile(process.execPath, args, { env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      )
    })
}

test('a campaign is created from options and a settings file, listed, and refused with the field that is wrong', async () => {
  const at = await startTestApp()
  const ramal = await commandLine(at)
  await at.ana.post('/api/agents', anAgent)
  const settings = join(at.config.dataDir, 'settings.json')
  const windows = [{ days: [1, 2, 3, 4, 5], from: '10:00', to: '12:00' }]
  writeFileSync(
    settings,
    JSON.stringify({ schedule: { windows }, pacing: { maxConcurrentCalls: 3, callsPerSecond: 2 } }),
  )
  const words = ['--name', 'Consultas', '--agent', 'ana', '--settings', settings, '--per-second', '0.5']
  const created = await ramal('campaigns', 'create', ...words, '--start-at', '2030-01-07T12:00Z', '--json')
  assert.equal(created.code, 0, created.err)
  const campaign = JSON.parse(created.out)
  assert.deepEqual(campaign.pacing, { maxConcurrentCalls: 3, callsPerSecond: 0.5 })
  assert.deepEqual(campaign.schedule, { startAt: '2030-01-07T12:00:00.000Z', endAt: null, windows })
  assert.match(
    (await ramal('campaigns', 'list')).out,
    new RegExp(`^${campaign.id} {2}draft {2}0 of 0 done {2}Consultas\n$`),
  )
  assert.equal(JSON.parse((await ramal('campaigns', 'list', '--status', 'running', '--json')).out).length, 0)

  const refused = async (pattern: RegExp, ...command: string[]) => {
    const { code, err } = await ramal('campaigns', ...command)
    assert.equal(code, 1)
    assert.match(err, pattern)
  }
  await refused(/^ramal: --name is missing/, 'create')
  await refused(/^ramal: there is no agent Zoe/, 'create', '--name', 'x', '--agent', 'Zoe')
  await refused(/^ramal: --start-at must be a time/, 'create', '--name', 'x', '--agent', 'ana', '--start-at', 'soon')
  for (const local of ['2030-01-07T12:00', '2030-01-07'])
    await refused(/--start-at must be a time with its offset from UTC/, 'create', ...words, '--start-at', local)
  await refused(/callerId must be a number with its country code/, 'create', ...words, '--caller-id', '123')
  await refused(
    /^ramal: README.md is not a JSON object/,
    'create',
    '--name',
    'x',
    '--agent',
    'ana',
    '--settings',
    'README.md',
  )
  await refused(/Campaign not found/, 'show', 'cmp_none')
  await refused(/add --yes to confirm/, 'cancel', campaign.id)
  await refused(/neither a CSV file/, 'import', campaign.id, 'README.md')
  await refused(/cannot read none\.csv/, 'import', campaign.id, 'none.csv')
})

const list = `nome,telefone
Maria,(11) 98765-4321
=João,12
Rosa,+55 21 99876-5432
Maria de novo,11987654321
Sem número,
Calada,(31) 98888-7777
`

test('a list is imported with a report, previewed, started, paused, resumed and canceled, and its results are saved', async () => {
  const at = await startTestApp()
  const ramal = await commandLine(at)
  const { ana, config } = at
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: trunk } = await ana.post('/api/trunks', {
    name: 'carrier',
    host: 'sip.example.com',
    optionsPing: false,
  })
  await ana.post(`/api/agents/${agent.id}/link-trunk`, { trunkId: trunk.id, trunkType: 'outbound' })
  const ok = async (...words: string[]) => {
    const { code, out, err } = await ramal(...words)
    assert.equal(code, 0, `${words.join(' ')}: ${out}${err}`)
    return out
  }
  await ok('suppressions', 'add', '31 98888-7777', '--note', 'asked by e-mail')
  // Starts next week, so that nothing is dialed in this test at any time of day.
  const startAt = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const words = ['--name', 'Consultas', '--agent', agent.id, '--trunk', trunk.id, '--start-at', startAt]
  const [id = ''] = (await ok('campaigns', 'create', ...words)).split('  ')
  assert.equal((await ramal('campaigns', 'preview', id)).code, 2, 'without contacts it cannot start')

  const [file, rejected, results] = ['list.csv', 'rejected.csv', 'results.xlsx'].map((name) =>
    join(config.dataDir, name),
  )
  assert.ok(file && rejected && results)
  writeFileSync(file, list)
  const report = await ok('campaigns', 'import', id, file, '--rejected', rejected)
  assert.match(report, /^rows {8}6\naccepted {4}2\nmerged {6}1 .*\nrejected {4}2\nsuppressed {2}1\n/)
  assert.equal(
    readFileSync(rejected, 'utf8'),
    [
      'row,result,reason,words,nome,telefone',
      `3,rejected,number_invalid,not a number of its country,"'=João",12`,
      '6,rejected,number_empty,no telephone number,Sem número,',
      '7,suppressed,manual,on your suppression list,Calada,(31) 98888-7777',
      '',
    ].join('\r\n'),
  )
  const wrong = await ramal('campaigns', 'import', id, file, '--phone-column', 'fone')
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /^ramal: phoneColumn: the list has no column fone; it has nome, telefone/)

  assert.match(
    await ok('campaigns', 'preview', id),
    /^contacts {4}3: .*, 1 suppressed, 0 never\nrejected {4}2 rows[\s\S]*\nIt can start\.\n$/,
  )
  assert.match(await ok('campaigns', 'start', id), / {2}scheduled {2}Consultas\n$/)
  assert.match(await ok('campaigns', 'pause', id), / {2}paused {2}Consultas\n$/)
  assert.match(await ok('campaigns', 'list'), /paused \(user\) {2}1 of 3 done/)
  assert.match(await ok('campaigns', 'resume', id), / {2}scheduled /)
  const again = await ramal('campaigns', 'resume', id)
  assert.deepEqual([again.code, again.err], [1, 'ramal: This campaign is scheduled\n'])
  const shown = await ok('campaigns', 'show', id)
  assert.match(shown, /^status {6}scheduled\n[\s\S]*^contacts {4}1 of 3 done; 2 waiting, 1 suppressed$/m)
  assert.equal(JSON.parse(await ok('campaigns', 'show', id, '--json')).progress.liveCalls, 0)

  const csv = await ok('campaigns', 'results', id)
  assert.equal(csv.trim().split('\n').length, 7)
  assert.match(csv, /Rosa.*accepted.*waiting/)
  await ok('campaigns', 'results', id, '-o', results)
  assert.equal(readFileSync(results).subarray(0, 2).toString(), 'PK', 'the name chose the format')

  const contact = await putInDoubt(at, id)
  assert.match(
    await ok('campaigns', 'doubts', id),
    new RegExp(
      `^${contact.id} {2}${contact.phoneNumber.replace('+', '\\+')} {2}\\d{4}-.* {2}cal_x {2}The node died\n$`,
    ),
  )
  const unknown = await ramal('campaigns', 'resolve', id, contact.id, 'perhaps')
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /resolution/)
  assert.match(await ok('campaigns', 'resolve', id, contact.id, 'completed'), / {2}completed\n$/)
  assert.match((await ramal('campaigns', 'resolve', id, contact.id, 'give_up')).err, /This contact is not in doubt/)
  assert.equal(await ok('campaigns', 'doubts', id), '')
  assert.match(await ok('campaigns', 'cancel', id, '--yes'), / {2}canceled /)
})

/** Leaves the state of a node that died between the INVITE and its result. */
async function putInDoubt({ database: { db } }: Pick<TestApp, 'database'>, campaignId: string) {
  const contact = await db
    .selectFrom('campaignContacts')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('status', '=', 'waiting')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { id: contactId, userId, phoneNumber, numberHash } = contact
  await db
    .updateTable('campaignContacts')
    .set({ status: 'in_doubt', tries: 1, dueAt: null })
    .where('id', '=', contactId)
    .execute()
  await db
    .insertInto('campaignAttempts')
    .values({
      id: newId('cat'),
      userId,
      campaignId,
      contactId,
      phoneNumber,
      numberHash,
      tryNumber: 1,
      status: 'in_doubt',
      outcome: null,
      detail: 'The node died',
      callerId: null,
      callId: 'cal_x',
      decision: '{}',
      nodeId: 'a',
      leaseUntil: now(),
      talkSeconds: null,
      createdAt: now(),
      dialedAt: now(),
      endedAt: null,
    })
    .execute()
  return contact
}

test('numbers are suppressed, checked, imported as a list and allowed again', async () => {
  const at = await startTestApp()
  const ramal = await commandLine(at)
  const run = async (...words: string[]) => {
    const { code, out, err } = await ramal('suppressions', ...words)
    return [code, `${out}${err}`] as const
  }
  const [added, line] = await run('add', '(11) 98765-4321', '--reason', 'opt_out', '--note', 'by e-mail')
  assert.equal(added, 0, line)
  assert.match(line, /^sup_\w+ {2}\+5511987654321 {2}opt_out {2}own {2}\d{4}-.*Z {2}by e-mail\n$/)
  assert.match((await run('check', '+5511987654321'))[1], /opt_out/)
  assert.equal((await run('check', '011 98765-4321'))[0], 2)
  assert.deepEqual(await run('check', '+351912345678'), [0, '+351912345678  not suppressed\n'])
  const [code, wrong] = await run('add', '123')
  assert.equal(code, 1)
  assert.match(wrong, /^ramal: phoneNumber: 123 is not a valid number of BR/)

  const file = join(at.config.dataDir, 'procon.csv')
  writeFileSync(file, 'telefone\n11 3333-4444\n11 3333-4444\nx\n21 2222-3333\n')
  const [imported, report] = await run('import', file, '--name', 'Procon', '--sector', 'vendas')
  assert.equal(imported, 0, report)
  assert.match(
    report,
    /^sul_\w+ {2}2 numbers {2}version 1 {2}from .*Z {2}vendas {2}Procon\nrows 4 {2}added 2 {2}duplicates 1 {2}rejected 1\n$/,
  )
  const [listId = ''] = report.split('  ')
  writeFileSync(file, 'telefone\n21 2222-3333\n')
  assert.match((await run('import', file, '--list', listId))[1], /1 numbers {2}version 2/)
  assert.match((await run('lists'))[1], /1 numbers {2}version 2 .*Procon/)
  assert.equal(JSON.parse((await run('list', '--list', listId, '--json'))[1]).length, 1)
  assert.equal((await run('list'))[1].trim().split('\n').length, 2)
  assert.match((await run('import', file))[1], /^ramal: --list or --name is missing/)

  assert.match((await run('remove', '21 2222-3333'))[1], /^ramal: \+552122223333 is only on imported lists/)
  assert.deepEqual(await run('remove', '11987654321'), [0, 'allowed again: +5511987654321\n'])
  assert.match((await run('remove', '11987654321'))[1], /^ramal: \+5511987654321 is not suppressed/)
})
