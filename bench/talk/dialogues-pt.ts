// Dialogues in Portuguese, the largest part of the set; those with dictation are in dialogues-pt-numbers.ts.
import { asides, backchannels, noises, type Scene, turn } from './scenes.ts'

const book = (reply: string) => turn('book', ['Quero marcar uma consulta.'], { reply })
const story = turn('story', ['Conte a história da clínica, por favor.'])
const hours = turn('hours', ['Que horas a clínica abre?'])
const address = turn('address', ['Qual é o endereço da clínica?'])
const price = turn('price', ['Quanto custa a consulta?'])
const pay = turn('pay', ['Posso pagar com cartão?'])
const insurance = turn('insurance', ['Vocês atendem o meu convênio?'])
const parking = turn('parking', ['Tem estacionamento no local?'])
const results = turn('results', ['Quando fica pronto o resultado do meu exame?'])
const cancel = turn('cancel', ['Preciso cancelar a consulta de amanhã.'])
const doctor = turn('doctor', ['Qual médico atende na segunda-feira?'])

const oneWord = [
  book('você já é paciente da clínica?'),
  turn('yes', ['Sim.'], { reply: 'prefere ser atendida de manhã?' }),
  turn('no', ['Não.'], { reply: 'quantas pessoas vêm?' }),
  turn('two', ['Dois.'], { reply: 'em que dia prefere vir?' }),
  turn('friday', ['Sexta.']),
]
const greeted = [
  turn('hello', ['Alô?']),
  book('quer ser atendida amanhã?'),
  turn('no', ['Não.'], { reply: 'e na sexta-feira?' }),
  turn('yes', ['Sim.']),
]

export const portuguese: readonly Scene[] = [
  { id: 'pt-plain-1', class: 'plain', voice: 'pt-alex', turns: [hours, address, price] },
  { id: 'pt-plain-2', class: 'plain', voice: 'pt-dora', turns: [address, pay, results] },
  { id: 'pt-plain-3', class: 'plain', voice: 'pt-santa', turns: [hours, insurance, doctor] },
  { id: 'pt-plain-4', class: 'plain', voice: 'pt-alex', turns: [cancel, parking, address] },
  { id: 'pt-plain-5', class: 'plain', voice: 'pt-dora', turns: [price, hours, doctor] },
  { id: 'pt-plain-6', class: 'plain', voice: 'pt-santa', turns: [results, address, pay] },
  {
    id: 'pt-plain-7',
    class: 'plain',
    voice: 'pt-fast',
    turns: [
      turn('hours', ['Boa tarde, vocês abrem no sábado?']),
      turn('person', ['Gostaria de falar com uma atendente.']),
      insurance,
    ],
  },
  { id: 'pt-word-1', class: 'one-word', voice: 'pt-alex', turns: oneWord },
  { id: 'pt-word-2', class: 'one-word', voice: 'pt-dora', turns: oneWord },
  { id: 'pt-word-3', class: 'one-word', voice: 'pt-santa', turns: greeted },
  { id: 'pt-word-4', class: 'one-word', voice: 'pt-alex', turns: greeted },
  {
    id: 'pt-hesitant-1',
    class: 'hesitant',
    voice: 'pt-alex',
    turns: [turn('book', ['Eu queria,', 900, 'marcar uma consulta,', 1100, 'para sexta.']), address],
  },
  {
    id: 'pt-hesitant-2',
    class: 'hesitant',
    voice: 'pt-dora',
    turns: [
      turn('price', ['Quanto é que,', 800, 'custa a consulta?']),
      turn('hours', ['E que horas,', 1000, 'vocês abrem?']),
    ],
  },
  {
    id: 'pt-hesitant-3',
    class: 'hesitant',
    voice: 'pt-santa',
    turns: [
      turn('cancel', ['Olha, é que eu preciso,', 700, 'cancelar a consulta,', 1200, 'que eu tinha amanhã.']),
      turn('pay', ['Dá para,', 900, 'pagar com cartão?']),
    ],
  },
  {
    id: 'pt-hesitant-4',
    class: 'hesitant',
    voice: 'pt-alex',
    turns: [
      turn('results', ['Eu fiz um exame aí na,', 1000, 'na semana passada, e o resultado,', 800, 'já está pronto?']),
      turn('insurance', ['E vocês atendem,', 1100, 'o convênio da empresa?']),
    ],
  },
  {
    id: 'pt-hesitant-5',
    class: 'hesitant',
    voice: 'pt-dora',
    turns: [
      turn('address', ['Você pode me dizer, é,', 1200, 'o endereço da clínica?']),
      turn('parking', ['E tem,', 700, 'estacionamento por perto?']),
    ],
  },
  {
    id: 'pt-hesitant-6',
    class: 'hesitant',
    voice: 'pt-slow',
    turns: [
      turn('doctor', ['Eu queria saber, se a,', 1000, 'se a doutora Helena,', 1000, 'atende na segunda.']),
      turn('price', ['E quanto,', 1200, 'custa a consulta com ela?']),
    ],
  },
  {
    id: 'pt-back-1',
    class: 'backchannel',
    voice: 'pt-alex',
    turns: [backchannels(story, ['aham', 'entendi', 'tá bom'], -7)],
  },
  {
    id: 'pt-back-2',
    class: 'backchannel',
    voice: 'pt-dora',
    turns: [backchannels(story, ['uhum', 'certo', 'aham'], -9)],
  },
  {
    id: 'pt-back-3',
    class: 'backchannel',
    voice: 'pt-santa',
    turns: [backchannels(story, ['sim', 'tá', 'entendi'], -6), price],
  },
  {
    id: 'pt-back-4',
    class: 'backchannel',
    voice: 'pt-alex',
    turns: [backchannels(story, ['tá bom', 'uhum', 'certo'], -8), hours],
  },
  {
    id: 'pt-loud-1',
    class: 'backchannel-loud',
    voice: 'pt-alex',
    turns: [backchannels(story, ['aham', 'entendi', 'tá bom'], 0)],
  },
  {
    id: 'pt-loud-2',
    class: 'backchannel-loud',
    voice: 'pt-dora',
    turns: [backchannels(story, ['certo', 'uhum', 'sim'], 0)],
  },
  {
    id: 'pt-interrupt-1',
    class: 'interruption',
    voice: 'pt-alex',
    turns: [
      story,
      turn('price', ['Espera, quanto custa a consulta?'], { intoMs: 3000 }),
      story,
      turn('hours', ['Desculpa, que horas vocês abrem?'], { intoMs: 5200 }),
    ],
  },
  {
    id: 'pt-interrupt-2',
    class: 'interruption',
    voice: 'pt-dora',
    turns: [
      story,
      turn('address', ['Tá, mas qual é o endereço?'], { intoMs: 2200 }),
      story,
      turn('pay', ['Só me diz se posso pagar com cartão.'], { intoMs: 6500 }),
    ],
  },
  {
    id: 'pt-interrupt-3',
    class: 'interruption',
    voice: 'pt-santa',
    turns: [
      story,
      turn('cancel', ['Não, eu quero cancelar a consulta.'], { intoMs: 4100 }),
      story,
      turn('person', ['Para. Quero falar com uma pessoa.'], { intoMs: 1700 }),
    ],
  },
  {
    id: 'pt-interrupt-4',
    class: 'interruption',
    voice: 'pt-alex',
    turns: [
      story,
      turn('doctor', ['E o médico, quem é?'], { intoMs: 7300 }),
      story,
      turn('insurance', ['Vocês atendem convênio?'], { intoMs: 3600 }),
    ],
  },
  {
    id: 'pt-interrupt-5',
    class: 'interruption',
    voice: 'pt-slow',
    turns: [
      story,
      turn('parking', ['Tem estacionamento aí?'], { intoMs: 2600 }),
      story,
      turn('results', ['Moça, o resultado do meu exame já saiu?'], { intoMs: 4700 }),
    ],
  },
  {
    id: 'pt-interrupt-6',
    class: 'interruption',
    voice: 'pt-fast',
    turns: [
      story,
      turn('hours', ['Tá bom, mas que horas abre?'], { intoMs: 3300 }),
      story,
      turn('person', ['Me passa para uma atendente.'], { intoMs: 5800 }),
    ],
  },
  { id: 'pt-sounds-1', class: 'sounds', voice: 'pt-alex', turns: [noises(story, ['cough', 'keys', 'door'])] },
  { id: 'pt-sounds-2', class: 'sounds', voice: 'pt-dora', turns: [noises(story, ['door', 'cough', 'keys']), price] },
  {
    id: 'pt-tics-1',
    class: 'tics',
    voice: 'pt-alex',
    turns: [asides(story, 'tic', { over: ['é…', 'hum…'], after: 'ah…', db: -4 }), price],
  },
  {
    id: 'pt-tics-2',
    class: 'tics',
    voice: 'pt-dora',
    turns: [asides(story, 'tic', { over: ['ahn…', 'ai, ai…'], after: 'é…', db: -6 }), hours],
  },
  {
    id: 'pt-tics-3',
    class: 'tics',
    voice: 'pt-santa',
    turns: [
      {
        ...story,
        overlaps: [
          { atMs: 3000, sound: 'cough' },
          { atMs: 0, inSilence: true, sound: 'cough' },
        ],
      },
      pay,
    ],
  },
  {
    id: 'pt-side-1',
    class: 'side-talk',
    voice: 'pt-dora',
    turns: [
      asides(story, 'side-talk', {
        over: ['Filho, desliga essa televisão.', 'Deixa aí em cima da mesa.'],
        after: 'Já vou, amor, estou no telefone.',
        db: -12,
      }),
      price,
    ],
  },
  {
    id: 'pt-side-2',
    class: 'side-talk',
    voice: 'pt-alex',
    turns: [
      asides(story, 'side-talk', {
        over: ['Não, é do médico, já desligo.', 'Pode fechar a porta, por favor?'],
        after: 'Fala para ela que eu ligo depois.',
        db: -10,
      }),
      hours,
    ],
  },
  {
    id: 'pt-side-3',
    class: 'side-talk',
    voice: 'pt-santa',
    turns: [
      asides(story, 'side-talk', {
        over: ['Ô menino, sai daí!', 'Dois cafés, obrigado.'],
        after: 'Cadê a minha caneta?',
        db: -14,
      }),
      parking,
    ],
  },
  { id: 'pt-tv15-1', class: 'tv-15', voice: 'pt-alex', turns: [hours, price, pay], line: { tvDb: -15 } },
  { id: 'pt-tv15-2', class: 'tv-15', voice: 'pt-dora', turns: [results, cancel, parking], line: { tvDb: -15 } },
  { id: 'pt-tv20-1', class: 'tv-20', voice: 'pt-santa', turns: [hours, price, doctor], line: { tvDb: -20 } },
  { id: 'pt-tv20-2', class: 'tv-20', voice: 'pt-alex', turns: [results, cancel, pay], line: { tvDb: -20 } },
  {
    id: 'pt-noise-1',
    class: 'noise',
    voice: 'pt-alex',
    turns: [hours, price, cancel],
    line: { noise: { kind: 'street', snrDb: 15 } },
  },
  {
    id: 'pt-noise-2',
    class: 'noise',
    voice: 'pt-dora',
    turns: [results, pay, doctor],
    line: { noise: { kind: 'white', snrDb: 15 } },
  },
  {
    id: 'pt-noise-3',
    class: 'noise',
    voice: 'pt-santa',
    turns: [hours, price, cancel],
    line: { noise: { kind: 'babble', snrDb: 18 } },
  },
  { id: 'pt-level-1', class: 'level', voice: 'pt-alex', turns: [hours, price, results], line: { levelDb: -20 } },
  { id: 'pt-level-2', class: 'level', voice: 'pt-dora', turns: [cancel, pay, doctor], line: { levelDb: -20 } },
  { id: 'pt-level-3', class: 'level', voice: 'pt-santa', turns: [hours, price, results], line: { clipDb: 24 } },
  { id: 'pt-loss-1', class: 'loss', voice: 'pt-alex', turns: [hours, price, results], line: { lossPercent: 2 } },
  { id: 'pt-loss-2', class: 'loss', voice: 'pt-dora', turns: [cancel, pay, doctor], line: { lossPercent: 5 } },
  { id: 'pt-child-1', class: 'voices', voice: 'pt-child', turns: [hours, price, address] },
  { id: 'pt-old-1', class: 'voices', voice: 'pt-old', turns: [cancel, results, pay] },
  { id: 'pt-robot-1', class: 'voices', voice: 'pt-robot', turns: [hours, price, pay] },
  {
    id: 'pt-greeting-1',
    class: 'over-greeting',
    voice: 'pt-alex',
    turns: [turn('price', ['Alô, bom dia, eu queria saber quanto custa a consulta.'], { answeredMs: 0 }), hours],
  },
  {
    id: 'pt-greeting-2',
    class: 'over-greeting',
    voice: 'pt-dora',
    turns: [turn('cancel', ['Oi, preciso cancelar a consulta de amanhã.'], { answeredMs: 600 }), pay],
  },
  {
    id: 'pt-endless-1',
    class: 'never-pauses',
    voice: 'pt-alex',
    turns: [
      turn(
        'address',
        [
          'Bom dia, olha só, eu estou ligando porque a minha mãe passou aí na semana passada e ela gostou muito do atendimento e me falou para ligar e eu moro do outro lado da cidade e não conheço bem essa região e o ônibus que eu pego para no terminal e de lá eu vou ter que ir a pé ou pegar um táxi e então eu precisava muito saber qual é o endereço certo para não me perder no caminho.',
        ],
        { answeredMs: 0 },
      ),
    ],
  },
  { id: 'pt-silence-1', class: 'silence', voice: 'pt-alex', turns: [turn(null, [12_000])] },
]
