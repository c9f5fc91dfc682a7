// What a caller says besides the value itself and yes or no (yes-no.ts): "I don't have it", "one moment", a question, "a person".
import { foldText } from '../base/text/text.ts'
import { clausesIn, matchesRule, type WordRule, wordRules } from '../base/text/word-rules.ts'
import { type DictationLanguage, dictationLanguage, MAX_LETTERS } from './tokens.ts'

/** Words without case, accents and marks, each between spaces. */
export const folded = (text: string): string => {
  const words = foldText(text.slice(0, MAX_LETTERS)).match(/[\p{L}\p{N}]+/gu) ?? []
  return ` ${words.join(' ')} `
}

type Phrases = {
  refusals: readonly string[]
  persons: readonly WordRule[]
  /** "já falei com um atendente" */
  notPersons: readonly WordRule[]
  waits: readonly WordRule[]
  /** A question begins with one of these, or ends with a question mark. */
  questions: readonly string[]
}

const phrases = (text: string): readonly string[] => text.split(',').map((phrase) => ` ${phrase.trim()} `)

const words = {
  pt: {
    lead: 'so da me ai e ah oi calma por_favor ta ok sim opa entao mas olha nao moca moco eu de espera pera perai',
    unit: 'momento momentinho minuto minutinho minutos instante instantinho segundo segundinho segundos pouquinho',
  },
  en: { lead: 'so ok okay yes yeah please oh hey stop um wait just no sorry' },
  es: {
    lead: 'si no a_ver ay por_favor oiga mire bueno pare solo nada_mas nomas deme dame ok y pues',
    unit: 'momento momentito minuto minutito segundo segundito ratito rato instante minutos segundos',
  },
} as const

const all: Readonly<Record<DictationLanguage, Phrases>> = {
  pt: {
    refusals: phrases(
      'nao tenho, nao sei, nao lembro, nao me lembro, esqueci, nao quero, prefiro nao, nao vou, nao posso, nao to com, nao estou com, nao possuo, nao uso, deixa pra la, sem cpf, sem email, nao precisa',
    ),
    persons: wordRules(
      words.pt,
      `
      um|uma|outro|outra|algum|com|com_o|com_a|chama|chame|chamar atendente|humano|funcionario|consultor|operador|operadora
      ^ ~2 atendente|atendimento_humano|humano .
      atendente por_favor
      uma pessoa !d*|f*|que_n*|n*|so
      pessoa de_verdade|real|humana|mesmo
      alguem de_verdade
      falar com alguem|gente|gerente|supervisor|supervisora|o_gerente|o_supervisor|uma_pessoa
      chama|chame|chamar ~1 alguem|seu|seu_supervisor|gerente
      com gente|robo|robos|maquina|uma_maquina|gravacao|ser_humano|um_ser_humano
      gerente|supervisor|supervisora
      ser humano
      carne e osso
      passa|passe|passar|chama|chame pro|o|para_o|pra|a responsavel|encarregado|chefe
      me transfere|transfira|transferir
      transferir|transfere|transfira ~2 atendente|humano|pessoa|setor|alguem
      passa|passar|passe pra_moca|pra_uma_pessoa|pro_atendente|para_um_atendente|pra_alguem|pro_gerente`,
    ),
    notPersons: wordRules(
      words.pt,
      `
      falei|falamos|conversei|disse|disseram|informou|resolveu|foi|atendeu|mandaram|veio|vieram|vinha`,
    ),
    waits: wordRules(
      words.pt,
      `
      ^ $lead~3 so? um|1|uns $unit !de
      so um $unit !de
      ^ $lead~4 espera|espere|perai|pera|aguarda|aguarde|aguenta|segura|calma !mais
      ^ $lead~3 so um pouco
      deixa|deixe|deixo|deixa_so eu? ver|pegar|achar|procurar|buscar|olhar|abaixar|anotar|conferir|fechar|sair|ligar_a_luz
      vou|vamos pegar|procurar|buscar|ver_aqui|conferir|dar_uma_olhada
      ja falo|volto
      to|tou|estou procurando|pegando|vendo_aqui`,
    ),
    questions: phrases(
      'por que, porque voce, pra que, para que, como assim, o que e, qual, quais, quanto, quando, onde, quem, como, voces, quero saber',
    ),
  },
  en: {
    refusals: phrases(
      'i do not have, i don t have, don t have, do not have, i do not know, i don t know, do not know, don t know, don t remember, do not remember, i forgot, rather not, i won t, i will not, don t want, do not want, can t give, no idea',
    ),
    persons: wordRules(
      words.en,
      `
      a|actual|live|real person|human|agent|operator|representative|somebody|someone
      an agent|operator|actual_agent|actual_person
      ^ ~2 operator|representative|agent|human .
      representative please
      somebody|someone real|alive|in_your
      speak|talk|speaking|talking to|with ~1 someone|somebody|human|person|manager|supervisor|robot|machine|computer|staff
      manager|supervisor
      customer service
      your staff
      transfer|connect me
      put|get|patch me through|a_person|somebody
      with|to|the robot|machine|a_machine|recording`,
    ),
    notPersons: wordRules(
      words.en,
      `
      said|told|spoke|talked|came|sent|already|was|were|would_come`,
    ),
    waits: wordRules(
      words.en,
      `
      ^ $lead~3 one|just_a|a|just_one|give_me_a|gimme_a|just_give_me_a|need_a|i_need_a moment|second|minute|sec|min|couple_of_minutes|few_seconds
      hold|hang on !to
      can|could|please you? hold for|a|one|please|.
      ^ $lead~3 wait
      let me see|check|get|find|grab|look|turn|write|pull|open|put|step|go_get|just
      give me a|one|two|just_a moment|second|minute|minutes|sec|seconds
      bear with me
      i am looking|getting_it|checking`,
    ),
    questions: phrases('why, what, which, how, when, where, who, can you, could you, do you, is it'),
  },
  es: {
    refusals: phrases(
      'no tengo, no lo tengo, no se, no lo se, no recuerdo, no me acuerdo, olvide, se me olvido, no quiero, prefiero no, no voy a, no puedo, no uso',
    ),
    persons: wordRules(
      words.es,
      `
      <yo una persona !de|que|m*
      <yo con una persona
      que me_atienda una persona
      un|una|algun|con_un|con_una|con_el humano|agente|asesor|asesora|operador|operadora|ejecutivo|ejecutiva|ser_humano
      ^ ~2 operadora|operador|ejecutivo|asesor|agente|humano .
      ser humano
      hablar|comunicar|comunicarme con alguien
      comuniqueme|comuniquenme|transfierame|transfiereme|paseme|paseme_con
      persona|alguien real
      persona de_verdad
      alguien que no_sea
      carne y hueso
      gerente|supervisor|supervisora
      su personal
      atencion a|al clientes|cliente
      con maquinas|un_robot|robots|una_maquina|una_grabacion|una_computadora
      ejecutivo`,
    ),
    notPersons: wordRules(
      words.es,
      `
      hable|hablamos|dijo|dijeron|vino|atendio|informo|mandaron`,
    ),
    waits: wordRules(
      words.es,
      `
      ^ $lead~3 un|1|unos|deme_un|dame_un|permitame_un $unit !de
      ^ $lead~3 espera|espere|espereme|esperame|esperese|aguanteme|aguantame|permitame|permiteme|aguarde
      deje|deja|dejeme|dejame|dejo|deje_que ver|buscar|busco|checo|checar|reviso|revisar|encontrar|anoto|anotar|voy
      voy|vamos a buscar|ver|checar|revisar
      voy por un|una|mis|mi|el|la
      ahora mismo !no`,
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

const says = (text: string, rules: readonly WordRule[], not: readonly WordRule[] = []): boolean =>
  clausesIn(text.slice(0, MAX_LETTERS)).some((clause) => matchesRule(clause, rules) && !matchesRule(clause, not))

export function wantsPerson(text: string, language: string): boolean {
  const { persons, notPersons } = phrasesOf(language)
  return says(text, persons, notPersons)
}

/** The caller needs time to find it. */
export const needsTime = (text: string, language: string): boolean => says(text, phrasesOf(language).waits)

export function isQuestion(text: string, language: string): boolean {
  const plain = folded(text)
  return text.trimEnd().endsWith('?') || phrasesOf(language).questions.some((phrase) => plain.startsWith(phrase))
}
