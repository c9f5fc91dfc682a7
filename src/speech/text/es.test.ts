// Text normalization in Spanish.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalize } from './normalize.ts'

const cases: Record<string, readonly (readonly [written: string, said: string])[]> = {
  numbers: [
    ['1/2 taza', 'media taza'],
    ['1/2 litro', 'medio litro'],
    ['3/4', 'tres cuartos'],
    ['US$ 10.50', 'diez dólares y cincuenta centavos'],
    ['en 12/2026', 'en diciembre de dos mil veintiséis'],
    ['0', 'cero'],
    ['1', 'uno'],
    ['16', 'dieciséis'],
    ['21', 'veintiuno'],
    ['31', 'treinta y uno'],
    ['100', 'cien'],
    ['101', 'ciento uno'],
    ['555', 'quinientos cincuenta y cinco'],
    ['1.000', 'mil'],
    ['1.234', 'mil doscientos treinta y cuatro'],
    ['21.000', 'veintiún mil'],
    ['1.000.000', 'un millón'],
    ['2.500.000', 'dos millones quinientos mil'],
    ['1.000.000.000', 'mil millones'],
    ['-5', 'menos cinco'],
    ['3,14', 'tres coma catorce'],
    ['0,05', 'cero coma cero cinco'],
    ['1/2', 'medio'],
    ['10-15 días', 'diez a quince días'],
  ],
  'agreement with what is counted': [
    ['1 día', 'un día'],
    ['1 persona', 'una persona'],
    ['21 días', 'veintiún días'],
    ['21 personas', 'veintiuna personas'],
    ['200 llamadas', 'doscientas llamadas'],
    ['1 de cada 3', 'uno de cada tres'],
    ['31 años', 'treinta y un años'],
    ['500 euros', 'quinientos euros'],
  ],
  ordinals: [
    ['1.º', 'primero'],
    ['2.ª', 'segunda'],
    ['1er piso', 'primer piso'],
    ['3er día', 'tercer día'],
    ['12º', 'duodécimo'],
    ['siglo XXI', 'siglo veintiuno'],
    ['siglo V', 'siglo quinto'],
    ['Felipe VI', 'Felipe sexto'],
    ['Alfonso XIII', 'Alfonso trece'],
    ['Isabel II', 'Isabel segunda'],
  ],
  dates: [
    ['15/11/2026', 'quince de noviembre de dos mil veintiséis'],
    ['2026-11-15', 'quince de noviembre de dos mil veintiséis'],
    ['1/1/2000', 'primero de enero de dos mil'],
    ['el 15/11', 'el quince de noviembre'],
    ['1 de mayo', 'primero de mayo'],
    ['15 de noviembre de 2026', 'quince de noviembre de dos mil veintiséis'],
  ],
  times: [
    ['a las 14:30', 'a las catorce treinta'],
    ['a las 2:30 pm', 'a las dos y media de la tarde'],
    ['9:15', 'nueve y cuarto'],
    ['9:05', 'nueve y cinco'],
    ['a la 1:20', 'a la una y veinte'],
    ['10 p. m.', 'diez de la noche'],
    ['14 h', 'catorce horas'],
    ['a la 1 de la tarde', 'a la una de la tarde'],
    ['de 9:00 a 14:00 h.', 'de nueve horas a catorce horas.'],
  ],
  money: [
    ['1.234,56 €', 'mil doscientos treinta y cuatro euros y cincuenta y seis céntimos'],
    ['€ 1', 'un euro'],
    ['21 €', 'veintiún euros'],
    ['US$ 20', 'veinte dólares'],
    ['2,5 millones €', 'dos coma cinco millones de euros'],
    ['1.000.000 €', 'un millón de euros'],
    ['£1', 'una libra'],
    ['R$ 10,50', 'diez reales y cincuenta centavos'],
  ],
  'percentages and measures': [
    ['12,5 %', 'doce coma cinco por ciento'],
    ['5 km', 'cinco kilómetros'],
    ['1 km', 'un kilómetro'],
    ['120 km/h', 'ciento veinte kilómetros por hora'],
    ['21 GB', 'veintiún gigabytes'],
    ['25 °C', 'veinticinco grados Celsius'],
    ['1 t', 'una tonelada'],
  ],
  'telephones and documents': [
    ['+34 612 345 678', 'más treinta y cuatro, seis uno dos, tres cuatro cinco, seis siete ocho'],
    ['+34612345678', 'más treinta y cuatro, seis uno dos, tres cuatro cinco, seis siete ocho'],
    ['612 345 678', 'seis uno dos, tres cuatro cinco, seis siete ocho'],
    ['91 123 45 67', 'nueve uno, uno dos tres, cuatro cinco, seis siete'],
    ['12345678Z', 'uno dos, tres cuatro cinco, seis siete ocho, zeta'],
    ['+52 55 1234 5678', 'más cincuenta y dos, cinco cinco, uno dos tres cuatro, cinco seis siete ocho'],
  ],
  addresses: [
    ['ana.silva@ejemplo.es', 'ana punto silva arroba ejemplo punto e ese'],
    ['www.ejemplo.com', 'uve doble uve doble uve doble punto ejemplo punto com'],
    ['juan_perez@gmail.com', 'juan guion bajo perez arroba gmail punto com'],
  ],
  abbreviations: [
    ['El Sr. Pérez y la Sra. Gil', 'El Señor Pérez y la Señora Gil'],
    ['la Dra. Ruiz', 'la Doctora Ruiz'],
    ['¿Cómo está Ud.?', '¿Cómo está Usted?'],
    ['Av. Mayor, n.º 5', 'Avenida Mayor, número cinco'],
    ['C/ Mayor, 3', 'calle Mayor, tres'],
    ['D. Juan', 'don Juan'],
    ['EE. UU.', 'Estados Unidos.'],
    ['pan, vino, etc.', 'pan, vino, etcétera.'],
    ['Sol S.A. vende', 'Sol ese a vende'],
    ['p. ej. esto', 'por ejemplo esto'],
  ],
  signs: [
    ['Pérez & Hijos', 'Pérez y Hijos'],
    ['2 + 2 = 4', 'dos más dos igual a cuatro'],
    ['#1', 'número uno'],
    ['y/o', 'y o'],
    ['pulse #', 'pulse almohadilla'],
  ],
}

for (const [group, table] of Object.entries(cases))
  for (const [written, said] of table)
    test(`es, ${group}: ${written}`, () => {
      assert.equal(normalize(written, 'es-ES'), said)
      assert.equal(normalize(said, 'es-ES'), said, 'what is said already is not changed again')
    })

test('the dollar sign means pesos where the country uses pesos', () => {
  assert.equal(normalize('$21', 'es-MX'), 'veintiún pesos')
  assert.equal(normalize('$1,234.50', 'es-MX'), 'mil doscientos treinta y cuatro pesos y cincuenta centavos')
  assert.equal(normalize('$1.234,50', 'es-AR'), 'mil doscientos treinta y cuatro pesos y cincuenta centavos')
  assert.equal(normalize('$21', 'es-ES'), 'veintiún dólares')
})
