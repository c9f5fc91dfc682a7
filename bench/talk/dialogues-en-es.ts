// Dialogues of callers in English and Spanish.
import { asides, backchannels, noises, type Scene, turn } from './scenes.ts'

const en = {
  hours: turn('hours', ['What time do you open tomorrow?']),
  address: turn('address', ['What is the address of the clinic?']),
  price: turn('price', ['How much does an appointment cost?']),
  pay: turn('pay', ['Can I pay by card?']),
  insurance: turn('insurance', ['Do you take my insurance?']),
  parking: turn('parking', ['Is there any parking nearby?']),
  results: turn('results', ['When will my test results be ready?']),
  cancel: turn('cancel', ['I need to cancel my appointment.']),
  doctor: turn('doctor', ['Which doctor is in on Monday?']),
  story: turn('story', ['Please tell me the history of the clinic.']),
}
const bookEn = (reply: string) => turn('book', ['I would like to book an appointment.'], { reply })

export const english: readonly Scene[] = [
  { id: 'en-plain-1', class: 'plain', voice: 'en-heart', turns: [en.hours, en.address, en.price] },
  { id: 'en-plain-2', class: 'plain', voice: 'en-michael', turns: [en.insurance, en.results, en.doctor] },
  { id: 'en-plain-3', class: 'plain', voice: 'en-fenrir', turns: [en.cancel, en.parking, en.pay] },
  {
    id: 'en-word-1',
    class: 'one-word',
    voice: 'en-michael',
    turns: [
      bookEn('are you already a patient here?'),
      turn('yes', ['Yes.'], { reply: 'do you prefer the morning?' }),
      turn('no', ['No.'], { reply: 'how many people are coming?' }),
      turn('two', ['Two.']),
    ],
  },
  {
    id: 'en-hesitant-1',
    class: 'hesitant',
    voice: 'en-bella',
    turns: [
      turn('book', ['I would like to,', 900, 'book an appointment,', 1000, 'for Friday.']),
      turn('price', ['And how much,', 800, 'does it cost?']),
    ],
  },
  {
    id: 'en-hesitant-2',
    class: 'hesitant',
    voice: 'en-michael',
    turns: [
      turn('results', ['I was there for a,', 1100, 'a blood sample, and I wonder if my results,', 700, 'are ready.']),
      turn('address', ['Could you give me,', 1200, 'the address again?']),
    ],
  },
  {
    id: 'en-phone-1',
    class: 'dictation',
    voice: 'en-heart',
    turns: [
      bookEn('what is your phone number?'),
      turn('number', ['five, five, five,', 600, 'two, one, three,', 700, 'four, eight, nine, six.'], {
        digits: '5552134896',
      }),
    ],
  },
  {
    id: 'en-back-1',
    class: 'backchannel',
    voice: 'en-michael',
    turns: [backchannels(en.story, ['uh-huh', 'right', 'I see'], -7), en.price],
  },
  {
    id: 'en-loud-1',
    class: 'backchannel-loud',
    voice: 'en-bella',
    turns: [backchannels(en.story, ['yeah', 'okay', 'got it'], 0)],
  },
  {
    id: 'en-interrupt-1',
    class: 'interruption',
    voice: 'en-heart',
    turns: [
      en.story,
      turn('price', ['Wait, how much does it cost?'], { intoMs: 3000 }),
      en.story,
      turn('hours', ['Sorry, what time do you open?'], { intoMs: 5600 }),
    ],
  },
  {
    id: 'en-interrupt-2',
    class: 'interruption',
    voice: 'en-michael',
    turns: [
      en.story,
      turn('address', ['Hold on, what is the address?'], { intoMs: 2500 }),
      en.story,
      turn('insurance', ['Do you take my insurance?'], { intoMs: 4800 }),
    ],
  },
  {
    id: 'en-sounds-1',
    class: 'sounds',
    voice: 'en-fenrir',
    turns: [noises(en.story, ['keys', 'door', 'cough']), en.pay],
  },
  {
    id: 'en-side-1',
    class: 'side-talk',
    voice: 'en-bella',
    turns: [
      asides(en.story, 'side-talk', {
        over: ['Honey, turn that down.', 'Just leave it on the table.'],
        after: 'One second, I am on the phone.',
        db: -12,
      }),
      en.price,
    ],
  },
  {
    id: 'en-tics-1',
    class: 'tics',
    voice: 'en-michael',
    turns: [asides(en.story, 'tic', { over: ['um…', 'hmm…'], after: 'uh…', db: -5 }), en.hours],
  },
  { id: 'en-tv15-1', class: 'tv-15', voice: 'en-heart', turns: [en.hours, en.price, en.cancel], line: { tvDb: -15 } },
  { id: 'en-child-1', class: 'voices', voice: 'en-child', turns: [en.hours, en.price, en.address] },
  {
    id: 'en-greeting-1',
    class: 'over-greeting',
    voice: 'en-michael',
    turns: [turn('price', ['Hello, I was wondering how much an appointment costs.'], { answeredMs: 400 }), en.hours],
  },
]

const es = {
  hours: turn('hours', ['¿A qué hora abren mañana?']),
  address: turn('address', ['¿Cuál es la dirección de la clínica?']),
  price: turn('price', ['¿Cuánto cuesta la consulta?']),
  pay: turn('pay', ['¿Puedo pagar con tarjeta?']),
  insurance: turn('insurance', ['¿Trabajan con mi seguro?']),
  results: turn('results', ['¿Cuándo están listos los resultados?']),
  cancel: turn('cancel', ['Necesito cancelar mi cita.']),
  doctor: turn('doctor', ['¿Qué médico atiende los lunes?']),
  story: turn('story', ['Cuénteme la historia de la clínica.']),
}
const bookEs = (reply: string) => turn('book', ['Quiero reservar una cita.'], { reply })

export const spanish: readonly Scene[] = [
  { id: 'es-plain-1', class: 'plain', voice: 'es-alex', turns: [es.hours, es.address, es.price] },
  { id: 'es-plain-2', class: 'plain', voice: 'es-dora', turns: [es.insurance, es.results, es.doctor] },
  { id: 'es-plain-3', class: 'plain', voice: 'es-santa', turns: [es.cancel, es.pay, es.hours] },
  {
    id: 'es-word-1',
    class: 'one-word',
    voice: 'es-dora',
    turns: [
      bookEs('¿ya es paciente de la clínica?'),
      turn('yes', ['Sí.'], { reply: '¿prefiere venir por la mañana?' }),
      turn('no', ['No.'], { reply: '¿cuántas personas vienen?' }),
      turn('two', ['Dos.']),
    ],
  },
  {
    id: 'es-hesitant-1',
    class: 'hesitant',
    voice: 'es-alex',
    turns: [
      turn('book', ['Yo quería,', 900, 'reservar una cita,', 1100, 'para el viernes.']),
      turn('price', ['¿Y cuánto,', 800, 'cuesta la consulta?']),
    ],
  },
  {
    id: 'es-hesitant-2',
    class: 'hesitant',
    voice: 'es-dora',
    turns: [
      turn('cancel', ['Mire, es que necesito,', 1000, 'cancelar la cita,', 1200, 'que tenía el lunes.']),
      turn('pay', ['¿Se puede,', 700, 'pagar con tarjeta?']),
    ],
  },
  {
    id: 'es-phone-1',
    class: 'dictation',
    voice: 'es-santa',
    turns: [
      bookEs('¿cuál es su número de teléfono?'),
      turn('number', ['seis, uno, dos,', 600, 'tres, cuatro, cinco,', 800, 'siete, ocho, nueve.'], {
        digits: '612345789',
      }),
    ],
  },
  {
    id: 'es-back-1',
    class: 'backchannel',
    voice: 'es-alex',
    turns: [backchannels(es.story, ['ajá', 'claro', 'entiendo'], -7)],
  },
  {
    id: 'es-interrupt-1',
    class: 'interruption',
    voice: 'es-dora',
    turns: [
      es.story,
      turn('price', ['Espere, ¿cuánto cuesta la consulta?'], { intoMs: 3400 }),
      es.story,
      turn('person', ['Perdone, quiero hablar con una persona.'], { intoMs: 6100 }),
    ],
  },
  {
    id: 'es-interrupt-2',
    class: 'interruption',
    voice: 'es-alex',
    turns: [
      es.story,
      turn('hours', ['Sí, ¿pero a qué hora abren?'], { intoMs: 2800 }),
      es.story,
      turn('pay', ['¿Puedo pagar con tarjeta?'], { intoMs: 5100 }),
    ],
  },
  { id: 'es-tv20-1', class: 'tv-20', voice: 'es-alex', turns: [es.hours, es.price, es.cancel], line: { tvDb: -20 } },
  {
    id: 'es-noise-1',
    class: 'noise',
    voice: 'es-dora',
    turns: [es.hours, es.price, es.cancel],
    line: { noise: { kind: 'street', snrDb: 12 } },
  },
  { id: 'es-old-1', class: 'voices', voice: 'es-old', turns: [es.address, es.price, es.cancel] },
  {
    id: 'es-endless-1',
    class: 'never-pauses',
    voice: 'es-alex',
    turns: [
      turn(
        'address',
        [
          'Buenos días, mire, le llamo porque mi madre estuvo ahí la semana pasada y le gustó mucho cómo la trataron y me dijo que llamara y yo vivo al otro lado de la ciudad y no conozco bien esa zona y el autobús que tomo para en la estación y desde ahí tengo que ir andando o coger un taxi y por eso necesito saber cuál es la dirección exacta para no perderme en el camino.',
        ],
        { answeredMs: 0 },
      ),
    ],
  },
]
