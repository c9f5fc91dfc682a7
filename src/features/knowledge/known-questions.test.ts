// Search quality: questions with known answers in three languages, over one base with three documents. Prints the
// figures.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd, type Client, startTestApp } from '../../../test/app.ts'
import { writtenFor } from '../../../test/knowledge-model.ts'
import { type KnownQuestion, knownQuestions } from '../../../test/knowledge-questions.ts'
import { until } from '../../../test/until.ts'
import { lastSaid, startLlm } from '../../../test/vendors/llm.ts'
import { stemsIn } from '../../llm/words.ts'

const url = '/api/knowledge-bases'
const folder = join(import.meta.dirname, '../../../test/fixtures/knowledge')
const files = { 'Clínica Boa Vista': 'clinica.md', 'Tienda Luna Azul': 'tienda.md', 'Harbour View Hotel': 'hotel.md' }

const lastHeading = (heading: string) => heading.split(' › ').at(-1) ?? ''

async function filled(ana: Client, generateQuestions: boolean) {
  const { id } = (await ana.post(url, { name: 'All', generateQuestions })).json
  const passages: { heading: string; content: string; questions: string[] }[] = []
  for (const [name, file] of Object.entries(files)) {
    const content = readFileSync(join(folder, file), 'utf8')
    const made = await ana.post(`${url}/${id}/documents`, { name, content, contentType: 'text/markdown' })
    assert.equal(made.status, 201, made.text)
    const document = await until('the document is ready', async () => {
      const { json } = await ana.get(`${url}/${id}/documents/${made.json.id}`)
      return json.status === 'ready' && json
    })
    passages.push(...document.passages)
  }
  return { id, passages }
}

type Base = Awaited<ReturnType<typeof filled>>

async function measured(ana: Client, { id }: Base) {
  const results: (KnownQuestion & { rank: number; first: string })[] = []
  for (const known of knownQuestions) {
    const { json } = await ana.post(`${url}/${id}/search`, { query: known.question, topK: 5, minScore: 0 })
    const headings = json.passages.map(({ heading }: { heading: string }) => lastHeading(heading))
    results.push({ ...known, rank: headings.indexOf(known.heading) + 1, first: headings[0] ?? 'nothing' })
  }
  const share = (isShared: boolean, most: number) => {
    const all = results.filter((result) => result.isShared === isShared)
    return { found: all.filter(({ rank }) => rank >= 1 && rank <= most).length, of: all.length }
  }
  return { results, shared: share(true, 1), others: share(false, 1), othersInFive: share(false, 5) }
}
type Measured = Awaited<ReturnType<typeof measured>>

const told = (about: string, { shared, others, othersInFive }: Measured) =>
  `measured ${about}: sharing words ${shared.found} of ${shared.of} first; the others ${others.found} of ${others.of} first, ` +
  `${othersInFive.found} of ${othersInFive.of} among five`

function assertSharedFirst({ results, shared }: Measured): void {
  const missed = results.filter(({ isShared, rank }) => isShared && rank !== 1)
  assert.deepEqual(
    missed.map(({ question, first }) => `${question} -> ${first}`),
    [],
  )
  assert.ok(shared.of >= 30)
}

test('the questions are as labelled: at least ten in each language, and those without shared words share none', async () => {
  const { ana } = await startTestApp()
  const { passages } = await filled(ana, false)
  assert.equal(passages.length, 60)
  for (const language of ['pt', 'es', 'en'])
    assert.ok(knownQuestions.filter((known) => known.language === language).length >= 10)
  for (const { question, heading, language, isShared } of knownQuestions) {
    const passage = passages.find((each) => lastHeading(each.heading) === heading)
    assert.ok(passage, heading)
    const own = stemsIn(`${heading} ${passage.content}`, language)
    const shared = [...stemsIn(question, language)].filter((stem) => own.has(stem))
    assert.equal(shared.length > 0, isShared, `${question}: ${shared.join(', ')}`)
  }
})

/** Questions that the documents do not answer. */
const offTopic = [
  'qual a capital da França?',
  'quem ganhou a copa de 2022?',
  'me conta uma piada',
  '¿cuál es la capital de Japón?',
  'what is the capital of France?',
  'recommend me a movie',
]

/** The questions that lose their passage with the default minScore, of those that find it without one. */
async function kept(ana: Client, { id }: Base, { results }: Measured) {
  const lost: string[] = []
  for (const { question, heading } of results.filter(({ rank }) => rank > 0)) {
    const { json } = await ana.post(`${url}/${id}/search`, { query: question })
    if (!json.passages.some((each: { heading: string }) => lastHeading(each.heading) === heading)) lost.push(question)
  }
  return lost
}

test('by words alone, every question that shares a word with its passage finds it first', async (t) => {
  const { ana } = await startTestApp()
  const base = await filled(ana, false)
  const figures = await measured(ana, base)
  t.diagnostic(told('by words alone', figures))
  assertSharedFirst(figures)
  assert.ok(figures.others.found >= 3, `only ${figures.others.found} of the others`)
  assert.deepEqual(await kept(ana, base, figures), [], 'the usual minScore costs no right answer')
  for (const query of offTopic) {
    const { json } = await ana.post(`${url}/${base.id}/search`, { query })
    assert.deepEqual(json.passages, [], query)
  }
})

test('with model-written questions for each passage, most of the others are found too', async (t) => {
  const model = await startLlm({
    answer: (request) => {
      const heading = /heading="([^"]*)"/.exec(lastSaid(request))?.[1] ?? ''
      return { say: writtenFor(lastHeading(heading)) }
    },
    isOpen: true,
  })
  atEnd(() => model.stop())
  const { ana } = await startTestApp({ LLM_BASE_URL: `${model.url}/v1`, LLM_MODEL: 'scripted' })
  const base = await filled(ana, true)
  assert.ok(base.passages.every(({ questions }) => questions.length >= 2))
  const figures = await measured(ana, base)
  t.diagnostic(told('with written questions', figures))
  assertSharedFirst(figures)
  assert.ok(figures.others.found >= 10, `only ${figures.others.found} of the others`)
  assert.deepEqual(await kept(ana, base, figures), [], 'the usual minScore costs no right answer')
})
