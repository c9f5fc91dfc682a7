// Days with a name, fixed or movable, in three languages: "véspera de Natal", "Thanksgiving", "terça de Carnaval".
import { DAY_MS } from '../base/time/clock.ts'
import { type DictationLanguage, dictationLanguage } from './tokens.ts'

type Rule = {
  /** As ISO; null if it is not one day. */
  dayIn: ((year: number) => string) | null
  /** Only in Brazil, the United States and Mexico: elsewhere it is another day. */
  isHome: boolean
}

const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Western Easter, by the anonymous Gregorian computus. */
export function easterOf(year: number): string {
  const [century, ofCentury] = [Math.floor(year / 100), year % 100]
  const golden = year % 19
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return isoOf(Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1))
}

/** Sunday is 0; `nth` -1 is the last one of the month. */
function nthWeekday(year: number, month: number, { nth, weekday }: { nth: number; weekday: number }): string {
  const first = Date.UTC(year, nth < 0 ? month : month - 1, 1)
  const ahead = (weekday - new Date(first).getUTCDay() + 7) % 7
  return isoOf(first + (ahead + 7 * (nth < 0 ? nth : nth - 1)) * DAY_MS)
}

/**
 * One per line: the phrases, then "12-25", "easter -2", "4 thu 11" (the fourth Thursday of November, -1 for the last), or
 * "?" where it is not one day. "home" limits it to Brazil, the United States or Mexico.
 */
const feastsOf = (text: string): readonly (readonly [phrase: string, rule: Rule])[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [names = '', rule = ''] = line.trim().split(': ')
      const isHome = rule.endsWith(' home')
      const dayIn = dayInYear(rule.replace(' home', '').split(' '))
      return names.split(', ').map((name) => [name, { dayIn, isHome }] as const)
    })

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

function dayInYear([first = '', second = '', third = '']: string[]): Rule['dayIn'] {
  if (first === '?') return null
  if (first === 'easter') return (year) => isoOf(Date.parse(easterOf(year)) + Number(second) * DAY_MS)
  if (third === '') return (year) => `${year}-${first}`
  return (year) => nthWeekday(year, Number(third), { nth: Number(first), weekday: weekdays.indexOf(second) })
}

/** Longer phrases before those they contain. */
const all: Readonly<Record<DictationLanguage, readonly (readonly [phrase: string, rule: Rule])[]>> = {
  pt: feastsOf(`
    antevespera de natal: 12-23
    vespera de natal: 12-24
    semana do natal: ?
    natal: 12-25
    vespera de ano novo, vespera do ano novo, vespera de reveillon, reveillon: 12-31
    ano novo, confraternizacao universal: 01-01
    dia de reis: 01-06
    domingo de carnaval: easter -49
    segunda de carnaval, segunda feira de carnaval: easter -48
    terca de carnaval, terca feira de carnaval, terca gorda: easter -47
    quarta de cinzas, quarta feira de cinzas: easter -46
    carnaval, semana santa, semana da pascoa: ?
    domingo de ramos: easter -7
    quinta feira santa, quinta santa: easter -3
    sexta feira santa, sexta santa, sexta feira da paixao, sexta da paixao, paixao de cristo: easter -2
    sabado de aleluia: easter -1
    pascoa: easter 0
    corpus christi: easter 60
    tiradentes: 04-21 home
    dia do trabalho, dia do trabalhador: 05-01
    dia das maes: 2 sun 5 home
    dia dos namorados: 06-12 home
    no sao joao, dia de sao joao: 06-24
    dia dos pais: 2 sun 8 home
    independencia do brasil: 09-07
    dia das criancas, dia da crianca, nossa senhora aparecida: 10-12 home
    finados: 11-02
    proclamacao da republica: 11-15
    consciencia negra: 11-20
    black friday: ?`),
  en: feastsOf(`
    christmas eve: 12-24
    christmas week, week of christmas: ?
    christmas: 12-25
    boxing day: 12-26
    new year s eve, new years eve: 12-31
    new year: 01-01
    martin luther king day, martin luther king junior day, mlk day: 3 mon 1 home
    valentine s day, valentines day: 02-14
    presidents day, president s day: 3 mon 2 home
    palm sunday: easter -7
    good friday: easter -2
    easter week: ?
    easter monday: easter 1
    easter: easter 0
    mother s day, mothers day: 2 sun 5 home
    memorial day: -1 mon 5 home
    juneteenth: 06-19
    father s day, fathers day: 3 sun 6 home
    fourth of july, independence day: 07-04 home
    labor day, labour day: 1 mon 9 home
    columbus day: 2 mon 10 home
    halloween: 10-31
    veterans day, veteran s day: 11-11 home
    thanksgiving week: ?
    thanksgiving: 4 thu 11 home`),
  es: feastsOf(`
    nochebuena, vispera de navidad: 12-24
    semana de navidad: ?
    navidad: 12-25
    nochevieja, vispera de ano nuevo, noche vieja: 12-31
    ano nuevo: 01-01
    vispera de reyes: 01-05
    reyes: 01-06
    lunes de carnaval: easter -48
    martes de carnaval: easter -47
    miercoles de ceniza: easter -46
    carnaval, semana santa, semana de pascua: ?
    domingo de ramos: easter -7
    jueves santo: easter -3
    viernes santo: easter -2
    sabado de gloria: easter -1
    domingo de pascua, domingo de resurreccion, pascua: easter 0
    corpus christi: easter 60
    dia del trabajo, dia del trabajador: 05-01
    dia de las madres, dia de la madre: 05-10 home
    dia de muertos, dia de los muertos: 11-02
    dia del padre, dia de la independencia: ?`),
}

const homes = /^(?:pt|pt-br|en|en-us|es|es-mx)$/i

/** The ISO day of the named day in this text, per year; `unclear` where it is not one day; null without one. */
export function feastIn(said: string, language: string): ((year: number) => string) | 'unclear' | null {
  const found = all[dictationLanguage(language)].find(([phrase]) => said.includes(` ${phrase} `))
  if (!found) return null
  const [phrase, { dayIn, isHome }] = found
  // "um dia antes do Natal" is another day, "lá pelo Natal" is not one day.
  const near = said.replace(` ${phrase} `, ' ')
  if (
    / (?:antes|depois|despues|before|after|vispera|vespera|around|near|about|perto|volta|pelo|alrededor|semana|week|weekend|feriadao|puente) /.test(
      near,
    )
  )
    return 'unclear'
  return dayIn === null || (isHome && !homes.test(language)) ? 'unclear' : dayIn
}
