// Dialogues in Portuguese in which the caller dictates a number in groups, read by the model itself or with `collect`.
import { type Scene, turn } from './scenes.ts'

const book = (reply: string) => turn('book', ['Quero marcar uma consulta.'], { reply })
const askCpf = book('qual é o seu CPF, por favor?')
const askPhone = book('qual é o seu telefone com DDD?')
const askCep = book('qual é o seu CEP?')
const confirm = (digits: string) => turn('number', ['Sim, está certo.'], { digits, isCollected: true })

export const portugueseNumbers: readonly Scene[] = [
  {
    id: 'pt-cpf-1',
    class: 'dictation',
    voice: 'pt-alex',
    turns: [
      askCpf,
      turn(
        'number',
        ['cinco, dois, nove,', 600, 'nove, oito, dois,', 800, 'dois, quatro, sete,', 700, 'dois, cinco.'],
        {
          digits: '52998224725',
        },
      ),
    ],
  },
  {
    id: 'pt-cpf-2',
    class: 'dictation',
    voice: 'pt-dora',
    turns: [
      askCpf,
      turn('number', ['um, um, um,', 400, 'quatro, quatro, quatro,', 500, 'sete, sete, sete,', 900, 'três, cinco.'], {
        digits: '11144477735',
      }),
    ],
  },
  {
    id: 'pt-cpf-3',
    class: 'dictation',
    voice: 'pt-santa',
    turns: [
      askCpf,
      turn(
        'number',
        ['três, nove, zero,', 1000, 'cinco, três, três,', 700, 'quatro, quatro, sete,', 1000, 'zero, cinco.'],
        {
          digits: '39053344705',
        },
      ),
    ],
  },
  {
    id: 'pt-phone-1',
    class: 'dictation',
    voice: 'pt-alex',
    turns: [
      askPhone,
      turn('number', ['onze,', 500, 'nove, oito, sete, seis, cinco,', 800, 'quatro, três, dois, um.'], {
        digits: '11987654321',
      }),
    ],
  },
  {
    id: 'pt-phone-2',
    class: 'dictation',
    voice: 'pt-dora',
    turns: [
      askPhone,
      turn('number', ['vinte e um,', 700, 'nove, nove, meia, três, quatro,', 900, 'cinco, meia, sete, oito.'], {
        digits: '21996345678',
      }),
    ],
  },
  {
    id: 'pt-cep-1',
    class: 'dictation',
    voice: 'pt-santa',
    turns: [askCep, turn('number', ['zero, um, três, um, zero,', 700, 'um, zero, zero.'], { digits: '01310100' })],
  },
  {
    id: 'pt-cep-2',
    class: 'dictation',
    voice: 'pt-alex',
    turns: [askCep, turn('number', ['dois, dois, zero, quatro, um,', 900, 'zero, zero, um.'], { digits: '22041001' })],
  },
  {
    id: 'pt-collect-1',
    class: 'collect',
    voice: 'pt-alex',
    turns: [
      { ...askCpf, collects: 'cpf' },
      turn(null, ['cinco, dois, nove,', 600, 'nove, oito, dois,', 800, 'dois, quatro, sete,', 700, 'dois, cinco.']),
      confirm('52998224725'),
    ],
  },
  {
    id: 'pt-collect-2',
    class: 'collect',
    voice: 'pt-dora',
    turns: [
      { ...askPhone, collects: 'phone' },
      turn(null, ['vinte e um,', 700, 'nove, nove, meia, três, quatro,', 900, 'cinco, meia, sete, oito.']),
      confirm('21996345678'),
    ],
  },
  {
    id: 'pt-collect-3',
    class: 'collect',
    voice: 'pt-santa',
    turns: [
      { ...askCep, collects: 'cep' },
      turn(null, ['zero, um, três, um, zero,', 700, 'um, zero, zero.']),
      confirm('01310100'),
    ],
  },
]
