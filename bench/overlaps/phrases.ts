// What callers say over the agent: interruptions, and backchannels. None of these is in the dialogues of the talk benchmark.
import type { Language } from '../talk/dialogue.ts'

export type Phrase = { readonly kind: 'interruption' | 'backchannel'; readonly text: string }
type List = {
  readonly voices: readonly string[]
  /** The caller's own turn before. */
  readonly own: string
  readonly phrases: readonly Phrase[]
}

const list = (kind: Phrase['kind'], texts: readonly string[]): Phrase[] => texts.map((text) => ({ kind, text }))

export const phrases: Readonly<Record<Language, List>> = {
  'pt-BR': {
    voices: ['pt-alex', 'pt-dora', 'pt-santa', 'pt-fast', 'pt-slow'],
    own: 'Bom dia, eu queria saber mais sobre o plano da família.',
    phrases: [
      ...list('interruption', [
        'Mas isso aí eu já paguei.',
        'Calma, não é isso que eu perguntei.',
        'Quero outro horário.',
        'Peraí, qual é o preço?',
        'Me passa para um atendente.',
        'Isso está errado, meu nome é outro.',
        'Tem desconto à vista?',
        'Olha, eu não tenho tempo agora.',
        'Tá, e na terça-feira?',
        'Escuta, deixa eu te explicar.',
      ]),
      ...list('backchannel', ['aham', 'ah, tá', 'sei', 'isso', 'é', 'ok', 'legal', 'pois é', 'beleza', 'hum']),
    ],
  },
  'en-US': {
    voices: ['en-heart', 'en-michael', 'en-fenrir'],
    own: 'Good morning, I would like to know more about the family plan.',
    phrases: [
      ...list('interruption', [
        'But I have already paid that.',
        'Hang on, that is not what I asked.',
        'Can I speak to a person?',
        'No, my name is different.',
        'Is there a discount?',
        'Okay, but what about Tuesday?',
      ]),
      ...list('backchannel', ['mm-hmm', 'sure', 'yes', 'all right', 'oh', 'great']),
    ],
  },
  'es-ES': {
    voices: ['es-dora', 'es-alex', 'es-santa'],
    own: 'Buenos días, quería saber más sobre el plan familiar.',
    phrases: [
      ...list('interruption', [
        'Pero eso ya lo pagué.',
        'Un momento, no es lo que pregunté.',
        'Quiero otro horario.',
        '¿Hay descuento?',
        'No, mi nombre es otro.',
        'Vale, ¿y el martes?',
      ]),
      ...list('backchannel', ['sí', 'vale', 'ya', 'bueno', 'eso', 'de acuerdo']),
    ],
  },
}
