// What a caller says besides the value itself and yes or no (yes-no.ts): "I don't have it", "one moment", a question, "a person".
import { foldText } from '../base/text/text.ts'
import { type DictationLanguage, dictationLanguage, MAX_LETTERS } from './tokens.ts'

/** Words without case, accents and marks, each between spaces. */
export const folded = (text: string): string => {
  const words = foldText(text.slice(0, MAX_LETTERS)).match(/[\p{L}\p{N}]+/gu) ?? []
  return ` ${words.join(' ')} `
}

type Phrases = {
  refusals: readonly string[]
  persons: readonly string[]
  waits: readonly string[]
  /** A question begins with one of these, or ends with a question mark. */
  questions: readonly string[]
}

const phrases = (text: string): readonly string[] => text.split(',').map((phrase) => ` ${phrase.trim()} `)

const all: Readonly<Record<DictationLanguage, Phrases>> = {
  pt: {
    refusals: phrases(
      'nao tenho, nao sei, nao lembro, nao me lembro, esqueci, nao quero, prefiro nao, nao vou, nao posso, nao to com, nao estou com, nao possuo, nao uso, deixa pra la, sem cpf, sem email, nao precisa',
    ),
    persons: phrases(
      'um atendente, uma atendente, com atendente, com o atendente, atendente por favor, humano, uma pessoa, alguem de verdade, falar com alguem, chamar alguem, gerente, supervisor, supervisora, um funcionario, um consultor, pessoa real, com gente, com robo, com maquina, me transfere, me transfira, passa pra moca',
    ),
    waits: phrases(
      'um momento, um momentinho, um minuto, um minutinho, um instante, um segundo, so um pouco, espera, espere, perai, pera ai, pera, deixa eu ver, deixa eu pegar, vou pegar, calma, aguarda, aguarde, ja falo, vou procurar',
    ),
    questions: phrases(
      'por que, porque voce, pra que, para que, como assim, o que e, qual, quais, quanto, quando, onde, quem, como, voces, quero saber',
    ),
  },
  en: {
    refusals: phrases(
      'i do not have, i don t have, don t have, do not have, i do not know, i don t know, do not know, don t know, don t remember, do not remember, i forgot, rather not, i won t, i will not, don t want, do not want, can t give, no idea',
    ),
    persons: phrases(
      'a person, a human, real person, an agent, actual agent, operator, a representative, representative please, somebody real, someone real, someone alive, somebody alive, speak to someone, talk to someone, manager, supervisor, customer service, your staff, transfer me, connect me, put me through, with the robot, to a robot',
    ),
    waits: phrases(
      'one moment, one second, one minute, just a moment, just a second, just a minute, hold on, hang on, wait, let me see, let me check, let me get, let me find, a moment',
    ),
    questions: phrases('why, what, which, how, when, where, who, can you, could you, do you, is it'),
  },
  es: {
    refusals: phrases(
      'no tengo, no lo tengo, no se, no lo se, no recuerdo, no me acuerdo, olvide, se me olvido, no quiero, prefiero no, no voy a, no puedo, no uso',
    ),
    persons: phrases(
      'una persona, un humano, ser humano, un agente, un asesor, un operador, operadora, un ejecutivo, ejecutivo, hablar con alguien, comunicar con alguien, comuniqueme, persona real, alguien real, carne y hueso, gerente, supervisor, supervisora, su personal, atencion a clientes, transfierame, con maquinas, con un robot',
    ),
    waits: phrases(
      'un momento, un momentito, un segundo, un minuto, espera, espere, dejame ver, dejeme ver, dejame buscar, voy a buscar, ahora mismo, permitame',
    ),
    questions: phrases(
      'por que, para que, que es, cual, cuales, cuanto, cuando, donde, quien, como, ustedes, quiero saber',
    ),
  },
}

const phrasesOf = (language: string): Phrases => all[dictationLanguage(language)]
const includesAny = (text: string, list: readonly string[]): boolean => {
  const plain = folded(text)
  return list.some((phrase) => plain.includes(phrase))
}

/** The caller cannot or will not give the value. */
export const isRefusal = (text: string, language: string): boolean => includesAny(text, phrasesOf(language).refusals)

export const wantsPerson = (text: string, language: string): boolean => includesAny(text, phrasesOf(language).persons)

/** The caller needs time to find it. */
export const needsTime = (text: string, language: string): boolean => includesAny(text, phrasesOf(language).waits)

export function isQuestion(text: string, language: string): boolean {
  const plain = folded(text)
  return text.trimEnd().endsWith('?') || phrasesOf(language).questions.some((phrase) => plain.startsWith(phrase))
}
