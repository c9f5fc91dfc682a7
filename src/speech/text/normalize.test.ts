// Rules for all languages: nothing unspeakable is left, plain prose is unchanged, run time is bounded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalize } from './normalize.ts'

const languages = ['pt-BR', 'en-US', 'es-ES'] as const

const marked: readonly (readonly [written: string, said: string])[] = [
  ['**Importante:** leia', 'Importante: leia'],
  ['*um* e _dois_ e ***três***', 'um e dois e três'],
  ['# Título\n\nTexto', 'Título\nTexto'],
  ['- um\n- dois\n* três', 'um\ndois\ntrês'],
  ['> citação', 'citação'],
  ['Veja [nossa página](https://exemplo.com/a?b=1) agora', 'Veja nossa página agora'],
  ['![foto](https://exemplo.com/a.png)', 'foto'],
  ['use `código` aqui', 'use código aqui'],
  ['```js\nfim\n```', 'fim'],
  ['~~velho~~ novo', 'velho novo'],
  ['a | b', 'a, b'],
  ['| nome | valor |\n|---|---|\n| a | b |', 'nome, valor\na, b'],
  ['<b>forte</b>', 'forte'],
  ['---', ''],
  ['Oi 😀👍🏽 tudo bem? 🇧🇷', 'Oi tudo bem?'],
  ['👨‍👩‍👧 família', 'família'],
  ['um\u0000dois\u0007três', 'um dois três'],
  ['pala\u00advra\u200b\ufeff', 'palavra'],
  ['um\u00a0dois', 'um dois'],
  ['meio\ud800 par', 'meio par'],
  ['nome_do_arquivo', 'nome do arquivo'],
  ['entrada → saída', 'entrada, saída'],
]
for (const [written, said] of marked)
  test(`unspeakable characters are removed: ${JSON.stringify(written)}`, () =>
    assert.equal(normalize(written, 'pt-BR'), said))

test('the pronunciation list replaces whole words, in any case, longest first', () => {
  const list = [
    { from: 'Ramal', to: 'Ramáu' },
    { from: 'SQL Server', to: 'síquel sérver' },
    { from: 'SQL', to: 'síquel' },
    { from: 'C++', to: 'cê mais mais' },
    { from: 'iFood', to: 'ai fúd' },
    { from: ' ', to: 'nada' },
  ]
  const say = (text: string) => normalize(text, 'pt-BR', list)
  assert.equal(say('O RAMAL, o ramal e os ramais.'), 'O Ramáu, o Ramáu e os ramais.')
  assert.equal(say('SQL Server e sql'), 'síquel sérver e síquel')
  assert.equal(say('Programa em C++ no iFood'), 'Programa em cê mais mais no ai fúd')
  assert.equal(normalize('2 apês', 'pt-BR', [{ from: 'apês', to: 'casas' }]), 'duas casas') // before the other rules
  assert.equal(normalize('$1', 'pt-BR', [{ from: 'x', to: '$&' }]), 'um dólar')
})

test('a language without rules is only cleaned', () => {
  assert.equal(normalize('**12 Äpfel** 😀', 'de-DE'), '12 Äpfel')
  assert.equal(normalize('', 'pt-BR'), '')
})

const prose = {
  'pt-BR':
    'o a de que não uma casa você está bem obrigado posso ajudar amanhã consulta médico às vezes também já é só maçã coração guarda-chuva São Paulo Ana porém',
  'en-US':
    "the a of that not one house you are well thanks can help tomorrow doctor often also I it's don't well-known Boston Ann however",
  'es-ES':
    'el la de que no una casa usted está bien gracias puedo ayudar mañana médico también ya es sólo corazón Madrid Ana aunque ¿dónde',
}
for (const language of languages)
  test(`${language}: plain prose is unchanged`, () => {
    const word = fc.constantFrom(...prose[language].split(' '))
    const mark = fc.constantFrom('', '', '', ',', ';', ':', '.', '!', '?', '...')
    const text = fc.array(fc.tuple(word, mark), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(text, (pairs) => {
        const written = pairs.map(([w, m]) => w + m).join(' ')
        assert.equal(normalize(written, language), written)
      }),
    )
  })

const atoms = [
  ...'0 7 12 2026 1.234,56 1,234.56 3,5 R$ US$ € % km/h kg GB 15/11/2026 2026-11-15 14h30 2:30 pm'.split(' '),
  ...'+55 11 91234-5678 (11) ana@x.com.br www.a.io https://b.com/c?d=1 Sr. Dra. St. etc. nº 1º 2ª XIV Pedro'.split(' '),
  ...'& + = / # * _ ** [a](b) ` ~ < > | ( ) , . ; : ! ? - – — " \' 😀 ½ ° @ $ 1/2 10-15 3x A4 COVID-19 e/ou dia pessoas the'.split(
    ' ',
  ),
  ' ',
  '\n',
  '',
]
const anything = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...atoms), fc.constantFrom('', ' ', ' ')), { maxLength: 25 })
      .map((all) => all.flat().join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
)

for (const language of languages) {
  test(`${language}: no digit is left for the engine to read`, () => {
    fc.assert(
      fc.property(anything, (text) => {
        assert.doesNotMatch(normalize(text, language), /[0-9]/)
      }),
      { numRuns: 400 },
    )
  })
}

/** CPU time of this thread, so that other load on the machine does not count. */
function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const LIMIT_MS = 60 // 2 ms for ordinary text of this length, 10 ms for 5,000 digits on an idle core

test('no text takes long, even an adversarial one', () => {
  const seeds = [
    ...atoms,
    'a',
    'a.',
    'a@',
    'a-',
    '1.',
    '1,',
    '1:',
    '1-',
    '1 ',
    '1/',
    '((',
    '[[',
    '](',
    '<a',
    '``',
    '__',
    '**a',
    '|-',
    'http://',
    'R$ 1',
    '+1 ',
    'Sr. ',
    'I',
    'Pedro I',
    '&',
    '\u0301',
    '😀',
    'Aa',
    'A',
    'MM',
  ]
  let worst = { ms: 0, seed: '' }
  for (const seed of seeds) {
    if (seed === '') continue
    const text = seed.repeat(Math.ceil(5000 / seed.length)).slice(0, 5000)
    for (const language of languages) {
      // A slow result is measured again: caches and clock speed suffer on a busy machine.
      let ms = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 6 && ms > LIMIT_MS / 2; attempt++) {
        ms = Math.min(
          ms,
          cpuMs(() => normalize(text, language)),
        )
      }
      if (ms > worst.ms) worst = { ms, seed }
    }
  }
  assert.ok(worst.ms < LIMIT_MS, `${worst.ms} ms for ${JSON.stringify(worst.seed)} again and again`)
})

test('an ordinary message of 5,000 characters takes a few milliseconds', () => {
  const text =
    'Olá, Sra. Souza! Sua consulta é em 15/11/2026, às 14h30, por R$ 350,00; ligue (11) 91234-5678 ou ana@exemplo.com.br. '
  const long = text.repeat(50).slice(0, 5000)
  const times = Array.from({ length: 7 }, () => cpuMs(() => normalize(long, 'pt-BR')))
  assert.ok(Math.min(...times) < 15, `${Math.min(...times)} ms`)
})
