// Months, weekdays, ordinals and relative days in three languages, without accents.
import type { DictationLanguage } from './tokens.ts'

export type CalendarWords = {
  readonly months: ReadonlyMap<string, number>
  /** Sunday is 0. */
  readonly weekdays: ReadonlyMap<string, number>
  readonly ordinals: ReadonlyMap<string, number>
  /** Days from today, longest phrases first. */
  readonly relative: readonly (readonly [phrase: string, days: number])[]
  /** With a weekday: "sexta da semana que vem". */
  readonly nextWeek: readonly string[]
  /** "mês que vem" */
  readonly nextMonth: readonly string[]
  /** "sexta passada" */
  readonly past: ReadonlySet<string>
  /** "daqui a três dias", "in three days". */
  readonly fromNow: ReadonlySet<string>
  /** "há três dias", "three days ago". */
  readonly ago: ReadonlySet<string>
  readonly days: ReadonlySet<string>
  readonly weeks: ReadonlySet<string>
  readonly monthUnits: ReadonlySet<string>
  /** Between two dates, or before them: one of both, or a range. */
  readonly choices: ReadonlySet<string>
  /** The last day of this month. */
  readonly monthEnd: readonly string[]
  /** This year, the last and the next, without accents. */
  readonly years: readonly (readonly [phrase: string, offset: number])[]
  /** "o primeiro dia útil do mês"; its first words are "first" and "last". */
  readonly firstWorkday: readonly string[]
  readonly lastWorkday: readonly string[]
  /** No one day: "fim do mês", "weekend". */
  readonly vague: readonly string[]
  /** Before a day of the month without its month: "dia quinze". */
  readonly dayLeads: ReadonlySet<string>
  /** Join day, month and year given as numbers: "doze do três de oitenta e cinco". */
  readonly links: ReadonlySet<string>
}

const numbered = (from: number, words: string): Map<string, number> =>
  new Map(words.split(' ').flatMap((spellings, i) => spellings.split('/').map((word) => [word, from + i] as const)))
const phrases = (text: string): readonly string[] => text.split(', ')
const listed = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const pt: CalendarWords = {
  months: numbered(
    1,
    'janeiro/jan fevereiro/fev marco abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out novembro/nov dezembro/dez.',
  ),
  weekdays: numbered(0, 'domingo segunda terca quarta quinta sexta sabado'),
  ordinals: numbered(1, 'primeiro'),
  relative: [
    ['depois de amanha', 2],
    ['passado amanha', 2],
    ['amanha', 1],
    ['hoje', 0],
    ['anteontem', -2],
    ['antes de ontem', -2],
    ['ontem', -1],
  ],
  nextWeek: ['semana que vem', 'proxima semana', 'outra semana'],
  nextMonth: ['mes que vem', 'proximo mes'],
  past: listed('passado passada ultimo ultima'),
  fromNow: listed('daqui em dentro'),
  ago: listed('ha faz atras'),
  days: listed('dia dias'),
  weeks: listed('semana semanas'),
  monthUnits: listed('mes meses'),
  choices: listed('ou ate ao entre'),
  monthEnd: ['ultimo dia do mes', 'ultimo dia deste mes'],
  firstWorkday: ['primeiro dia util'],
  lastWorkday: ['ultimo dia util'],
  vague: phrases(
    'fim do mes, final do mes, comeco do mes, inicio do mes, meio do mes, fim de mes, fim de semana, final de semana, fim do ano, final do ano, dia util, dias uteis',
  ),
  years: [
    ['deste ano', 0],
    ['ano passado', -1],
    ['ano que vem', 1],
  ],
  dayLeads: listed('dia'),
  links: listed('de do barra / - .'),
}
const en: CalendarWords = {
  months: numbered(
    1,
    'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec',
  ),
  weekdays: numbered(0, 'sunday monday tuesday wednesday thursday friday saturday'),
  ordinals: new Map([
    ...numbered(1, 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth'),
    ...numbered(14, 'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'),
    ['thirtieth', 30],
  ]),
  relative: [
    ['day after tomorrow', 2],
    ['in a fortnight', 14],
    ['day before yesterday', -2],
    ['tomorrow', 1],
    ['today', 0],
    ['yesterday', -1],
  ],
  nextWeek: ['next week', 'week after'],
  nextMonth: ['next month'],
  past: listed('last past'),
  fromNow: listed('in within from'),
  ago: listed('ago'),
  days: listed('day days'),
  weeks: listed('week weeks'),
  monthUnits: listed('month months'),
  choices: listed('or to until through between'),
  monthEnd: ['last day of the month', 'last day of this month'],
  firstWorkday: ['first business day', 'first working day', 'first workday'],
  lastWorkday: ['last business day', 'last working day', 'last workday'],
  vague: phrases(
    'end of the month, end of this month, end of next month, beginning of the month, beginning of next month, start of the month, middle of the month, weekend, end of the year, business day, business days, sometime next week',
  ),
  years: [
    ['this year', 0],
    ['last year', -1],
    ['next year', 1],
  ],
  dayLeads: listed('the on'),
  links: listed('of the slash / - . ,'),
}
const es: CalendarWords = {
  months: numbered(
    1,
    'enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/setiembre/sep octubre/oct noviembre/nov diciembre/dic',
  ),
  weekdays: numbered(0, 'domingo lunes martes miercoles jueves viernes sabado'),
  ordinals: numbered(1, 'primero/primer'),
  relative: [
    ['de hoy en', 7],
    ['pasado manana', 2],
    ['anteayer', -2],
    ['antier', -2],
    ['hoy', 0],
    ['ayer', -1],
    ['manana', 1],
  ],
  nextWeek: ['semana que viene', 'proxima semana', 'otra semana'],
  nextMonth: ['mes que viene', 'proximo mes'],
  past: listed('pasado pasada ultimo'),
  fromNow: listed('dentro en aqui'),
  ago: listed('hace'),
  days: listed('dia dias'),
  weeks: listed('semana semanas'),
  monthUnits: listed('mes meses'),
  choices: listed('o u hasta al entre'),
  monthEnd: ['ultimo dia del mes', 'ultimo dia de este mes'],
  firstWorkday: ['primer dia habil', 'primer dia laborable'],
  lastWorkday: ['ultimo dia habil', 'ultimo dia laborable'],
  vague: phrases(
    'fin de mes, fin del mes, finales de mes, finales del mes, principios de mes, principios del mes, mediados de mes, fin de semana, fin de ano, finales de ano, dia habil, dias habiles',
  ),
  years: [
    ['este ano', 0],
    ['ano pasado', -1],
    ['proximo ano', 1],
  ],
  dayLeads: listed('dia el'),
  links: listed('de del barra / - .'),
}

const all: Readonly<Record<DictationLanguage, CalendarWords>> = { pt, en, es }
export const calendarWordsOf = (language: DictationLanguage): CalendarWords => all[language]
