// Texts of the prompt editor: completion, warnings and token count.
import { texts } from '../../../i18n/texts.ts'

export const editorFieldTexts = texts(
  {
    tokens: (n: string) => `cerca de ${n} tokens`,
    tokensHint: 'Estimativa. O modelo lê as instruções inteiras a cada resposta.',
    ownVariable: 'variável deste agente',
    builtIn: {
      caller: 'número de quem liga',
      callee: 'número chamado',
      date: 'data de hoje',
      time: 'hora',
      weekday: 'dia da semana',
    },
    issue: {
      unknown: 'não tem valor padrão: fica em branco se a chamada não o enviar.',
      badName: 'não é preenchida: o nome não pode ter espaços nem símbolos.',
      oneBrace: 'não é preenchida: variáveis usam duas chaves.',
    },
    use: (name: string) => `Usar ${name}`,
    define: 'Criar variável',
    variables: 'Variáveis',
    more: (n: number) => (n === 1 ? 'e mais 1 aviso' : `e mais ${n} avisos`),
  },
  {
    tokens: (n) => `about ${n} tokens`,
    tokensHint: 'An estimate. The model reads the whole instructions with every reply.',
    ownVariable: 'variable of this agent',
    builtIn: {
      caller: "caller's number",
      callee: 'called number',
      date: "today's date",
      time: 'time',
      weekday: 'weekday',
    },
    issue: {
      unknown: 'has no default value: it stays empty unless the call sends one.',
      badName: 'is not filled in: names cannot contain spaces or symbols.',
      oneBrace: 'is not filled in: variables take two braces.',
    },
    use: (name) => `Use ${name}`,
    define: 'Create variable',
    variables: 'Variables',
    more: (n) => (n === 1 ? 'and 1 more warning' : `and ${n} more warnings`),
  },
  {
    tokens: (n) => `unos ${n} tokens`,
    tokensHint: 'Estimación. El modelo lee las instrucciones completas en cada respuesta.',
    ownVariable: 'variable de este agente',
    builtIn: {
      caller: 'número de quien llama',
      callee: 'número llamado',
      date: 'fecha de hoy',
      time: 'hora',
      weekday: 'día de la semana',
    },
    issue: {
      unknown: 'no tiene valor por defecto: queda en blanco si la llamada no lo envía.',
      badName: 'no se completa: el nombre no puede llevar espacios ni símbolos.',
      oneBrace: 'no se completa: las variables llevan dos llaves.',
    },
    use: (name) => `Usar ${name}`,
    define: 'Crear variable',
    variables: 'Variables',
    more: (n) => (n === 1 ? 'y 1 aviso más' : `y ${n} avisos más`),
  },
)
