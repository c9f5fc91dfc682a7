// Keywords and sentences: stop words, light stemming and synonyms in three languages.
import { foldText } from '../base/text/text.ts'

export type Language = 'pt' | 'es' | 'en'

/** The rule agent speaks three languages; for any other it uses English. */
export function ruleLanguage(language: string): Language {
  const main = language.slice(0, 2).toLowerCase()
  return main === 'pt' || main === 'es' ? main : 'en'
}

export const wordsIn = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []

const abbreviation =
  /(?:^|[\s(])(?:dra?s?|sra?s?|srta|mrs?|ms|av|prof|profa|eng|no|nro|núm|uds?|vs|ex|aprox|tel|st|r)\.$/iu

/** How many characters at the end of a sentence are searched for an abbreviation. */
const ABBREVIATION = 12

export function sentencesOf(text: string): string[] {
  const sentences: string[][] = []
  let tail = ''
  for (const piece of text.split(/(?<=[.!?…])\s+(?=["“'(¿¡]?[\p{Lu}\p{N}])/u)) {
    const last = sentences.at(-1)
    const goesOn = last !== undefined && abbreviation.test(tail)
    if (goesOn) last.push(piece)
    else sentences.push([piece])
    tail = `${goesOn ? tail : ''} ${piece.slice(-ABBREVIATION)}`.slice(-ABBREVIATION)
  }
  return sentences.map((pieces) => pieces.join(' ').trim()).filter((sentence) => sentence !== '')
}

const listOf = (text: string) => new Set(text.split(/\s+/))

const stopWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  pt: listOf(`a o as os um uma uns umas de da do das dos d em na no nas nos num numa por pela pelo pelas pelos para pra pro
    com sem sob sobre entre ate e ou mas que se ja nao sim eu tu voce voces ele ela eles elas nos me te lhe lhes meu minha meus
    minhas seu sua seus suas este esta esse essa isso isto aquele aquela aquilo ai la aqui ali qual quais quem quando quanto quanta
    quantos quantas como onde porque ser sou es e sao era eram foi seria estar estou esta estao tem temos ter tenho teria haver ha
    vai vou vao ir pode posso podem poderia gostaria queria quero quer querem saber dizer diga fala falar favor entao tambem muito
    mais menos bem ainda so algum alguma alguns algumas nada tudo todo toda todos todas ao aos h r oi ola alo bom boa dia tarde noite
    obrigado obrigada gente fica ficam faz fazem fazer preciso precisa levar levo leva tipo ne ok certo`),
  es: listOf(`a el la lo los las un una unos unas de del en por para con sin sobre entre hasta y e o u pero que si ya no yo tu
    usted ustedes el ella ellos ellas nosotros me te le les se mi mis su sus este esta esto ese esa eso aquel aquella aqui ahi alli
    cual cuales quien quienes cuando cuanto cuanta cuantos cuantas como donde porque ser soy es son era fue seria estar estoy esta
    estan hay tiene tienen tener tengo tenemos va voy van ir puede puedo pueden podria quisiera queria quiero quiere saber decir
    favor entonces tambien muy mas menos bien aun solo algun alguna algunos algunas nada todo toda todos todas al hola buenos buenas
    dias tardes noches gracias hace hacen hacer necesito llevar llevo lleva queda quedan tal ok`),
  en: listOf(`a an the of in on at by for to from with without about between and or but that if so no not yes i you he she it we
    they me him her us them my your his its our their this these those there here what which who whom when how where why is are was
    were be been am do does did done have has had having can could will would shall should may might must want need like know tell
    say get give bring take please then also very more less well still only some any all every much many just let s m re ve ll d t hi hello hey
    good morning afternoon evening night thanks thank ok okay up out time times`),
}

const romance = `amentos imentos amento imento adores adoras acoes icoes ucoes acion icion ucion aciones iciones uciones acao icao
  ucao idades idade idad ancia encia mente avel ivel ador adora aremos eremos iremos assem essem ando endo indo iendo aram eram iram
  amos emos imos aron ieron avam aria eria iria ados adas idos idas ado ada ido ida ares eres ires ava ara era ira oes aes ais eis
  ao am em an en ar er ir ou iu as os es is a o e s`
const english = `ations ation ments ment ingly nesses ness ings ing edly ies ied ers ers ed er es ly s e y`
const suffixes: Readonly<Record<Language, readonly string[]>> = {
  pt: byLength(romance),
  es: byLength(romance),
  en: byLength(english),
}

function byLength(text: string): string[] {
  return [...listOf(text)].sort((a, b) => b.length - a.length)
}

export function stemOf(word: string, language: Language): string {
  if (/\d/.test(word)) return word
  const without = (stem: string, longest: number): string => {
    const fits = (end: string) =>
      end.length <= longest && stem.endsWith(end) && stem.length - end.length >= leastLeft(end)
    const suffix = suffixes[language].find(fits)
    return suffix === undefined ? stem : stem.slice(0, -suffix.length)
  }
  const once = without(word, Number.POSITIVE_INFINITY)
  return without(once, 2) // the stem's vowel, left by a plural or a conjugation
}

/** A long suffix must leave enough of a stem: estação is not a form of estar. */
const leastLeft = (suffix: string) => (suffix.length > 2 ? 4 : 3)

export const isStopWord = (word: string, language: Language): boolean => stopWords[language].has(word)

/** The keywords of a text, each once. */
export const stemsIn = (text: string, language: Language): Set<string> =>
  new Set(
    wordsIn(text)
      .filter((word) => !isStopWord(word, language))
      .map((word) => stemOf(word, language)),
  )

/** Attributes and their synonyms; the first line of each group is Portuguese, then Spanish, then English. */
const groups: readonly string[] = [
  `preco precos valor valores custa custam custo tarifa mensalidade cobram cobra
   precio precios cuesta cuestan costo coste tarifa cobran
   price prices cost costs fee fees charge rate`,
  `horario horarios hora horas abre abrem aberto aberta fecha fecham fechado funciona funcionam funcionamento atende atendem atendimento expediente
   horario horarios hora horas abre abren abierto cierra cierran cerrado atienden atencion
   hours hour open opens opening close closes closed closing schedule`,
  `endereco localizacao localizado rua avenida praca rodovia local chegar
   direccion ubicacion ubicado calle avenida plaza carretera llegar
   address location located street avenue road lane square directions`,
  `telefone celular whatsapp contato ligar
   telefono movil celular whatsapp contacto llamar
   phone telephone mobile whatsapp contact`,
  `pagamento pagar cartao pix boleto dinheiro parcelar parcela credito debito
   pago pagar tarjeta efectivo transferencia credito debito
   payment pay card cash credit debit`,
  `entrega entregam entregar frete envio enviam
   entrega entregan envio envian domicilio reparto
   delivery deliver shipping ship`,
  `estacionamento estacionar vaga garagem
   estacionamiento estacionar aparcamiento aparcar parking
   parking park garage`,
  `cancelar cancelamento desmarcar
   cancelar cancelacion anular
   cancel cancellation`,
]

/** Things and actions and their synonyms, in the same order. */
const things: readonly string[] = [
  `carro automovel veiculo
   coche carro auto vehiculo
   car vehicle automobile`,
  `crianca bebe nene filho filha infantil pediatra pediatria
   nino nina bebe hijo hija infantil pediatra pediatria
   child children baby infant kid toddler`,
  `cachorro cao gato animal pet
   perro gato mascota animal
   dog cat pet animal`,
  `mala bagagem
   maleta equipaje
   luggage suitcase baggage bag`,
  `roupa lavar lavanderia lavagem
   ropa prenda lavar lavanderia
   clothes laundry wash garment`,
  `fumar cigarro fumante
   fumar cigarrillo fumador tabaco
   smoke smoking cigarette`,
  `perder perdido esqueci esquecer achados
   perder perdido olvidar olvide
   lost lose forgot forget`,
  `emprego trabalho trabalhar vaga curriculo contratando contratar
   empleo trabajo trabajar vacante curriculum contratando contratar
   job work employment vacancy hiring resume`,
  `estoque disponivel esgotado
   existencias disponible agotado stock
   stock available availability sold`,
  `trocar troca devolver devolucao reembolso
   cambiar cambio devolver devolucion reembolso
   exchange return refund`,
  `marcar agendar agendamento marcacao consulta
   reservar agendar cita reserva
   book booking appointment reservation reserve`,
  `medico doutor doutora especialista
   medico doctor doctora especialista
   doctor physician specialist`,
  `coracao cardiologia cardiologista cardiaco
   corazon cardiologia cardiologo cardiaco
   heart cardiology cardiologist`,
  `urgencia emergencia acidente socorro
   urgencia emergencia accidente
   emergency urgent accident`,
  `video online remoto telemedicina internet
   video online remoto internet web
   video online remote internet web`,
  `convenio plano seguro seguradora
   seguro poliza aseguradora
   insurance insurer policy`,
  `desconto promocao oferta vantagem pontos fidelidade
   descuento promocion oferta ventaja puntos
   discount offer promotion voucher points loyalty`,
  `nota recibo fatura cupom
   factura recibo ticket
   invoice receipt bill`,
  `wifi internet wireless
   wifi internet
   wifi internet wireless`,
  `comer refeicao restaurante jantar almoco
   comer comida restaurante cena almuerzo
   eat meal restaurant dinner lunch food`,
  `arrumar consertar conserto reparo
   arreglar arreglo reparar reparacion
   repair fix mend`,
]

type Meanings = Readonly<Record<Language, ReadonlyMap<string, ReadonlySet<string>>>>
const common = meaningsOf(groups)
const meanings = meaningsOf([...groups, ...things])

function meaningsOf(all: readonly string[]): Meanings {
  const inLine = (language: Language, line: number) => {
    const map = new Map<string, Set<string>>()
    for (const group of all) {
      const words = listOf((group.split('\n')[line] ?? '').trim())
      const stems = [...words].map((word) => stemOf(word, language))
      for (const stem of stems) map.set(stem, new Set([...(map.get(stem) ?? []), ...stems]))
    }
    return map
  }
  return { pt: inLine('pt', 0), es: inLine('es', 1), en: inLine('en', 2) }
}

/** Attributes such as price, hours or address are less specific than the thing they belong to. */
export const isCommonTopic = (stem: string, language: Language): boolean => common[language].has(stem)

/** Prices, hours and telephone numbers are given in digits. */
const inFigures: Readonly<Record<Language, readonly string[]>> = {
  pt: ['preco', 'horario', 'telefone'].map((word) => stemOf(word, 'pt')),
  es: ['precio', 'horario', 'telefono'].map((word) => stemOf(word, 'es')),
  en: ['price', 'hours', 'phone'].map((word) => stemOf(word, 'en')),
}

export const asksForNumbers = (stems: Iterable<string>, language: Language): boolean =>
  [...stems].some((stem) => inFigures[language].some((figure) => synonymsOf(stem, language).has(figure)))

const none: ReadonlySet<string> = new Set()

/** Synonymous stems. */
export const synonymsOf = (stem: string, language: Language): ReadonlySet<string> =>
  meanings[language].get(stem) ?? none

/** Questions without a keyword of their own: "how much" means a price, "where" an address. */
const asks: Readonly<Record<Language, readonly [RegExp, string][]>> = {
  pt: [
    [/\bquanto (e|sai|fica|cobra)|\bqual o valor/, 'preco'],
    [/\bonde\b/, 'endereco'],
    [/\bque horas\b|\bquando (abre|fecha|voces)/, 'horario'],
  ],
  es: [
    [/\bcuanto (es|vale|sale|cobra)/, 'precio'],
    [/\bdonde\b/, 'direccion'],
    [/\bque hora|\bcuando (abre|cierra)/, 'horario'],
  ],
  en: [
    [/\bhow much\b/, 'price'],
    [/\bwhere\b/, 'address'],
    [/\bwhat time\b|\bwhen (do|are) you\b/, 'hours'],
  ],
}

/** The keywords of a question. */
export function questionStems(text: string, language: Language): Set<string> {
  const stems = stemsIn(text, language)
  const plain = foldText(text)
  for (const [pattern, word] of asks[language]) {
    const stem = stemOf(word, language)
    if (pattern.test(plain) && ![...stems].some((said) => synonymsOf(stem, language).has(said))) stems.add(stem)
  }
  return stems
}
