// Number words of Portuguese, English and Spanish: spoken by the agent (speech/text), understood in dictation (dictation).
const listed = (text: string): readonly string[] => text.split(' ')

/** `small`: from zero. `tens` and `hundreds`: by their first digit. */
export const ptNumerals = {
  small: listed(
    'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove',
  ),
  tens: listed('- - vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'),
  hundreds: listed('- cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos'),
} as const

export const enNumerals = {
  small: listed(
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  ),
  tens: listed('- - twenty thirty forty fifty sixty seventy eighty ninety'),
  hundreds: [],
} as const

export const esNumerals = {
  small: listed(
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  ),
  tens: listed('- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa'),
  hundreds: listed(
    '- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  ),
} as const
