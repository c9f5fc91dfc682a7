// Text normalisation in American English.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalise } from './normalise.ts'

const cases: Record<string, readonly (readonly [written: string, said: string])[]> = {
  numbers: [
    ['0', 'zero'],
    ['13', 'thirteen'],
    ['42', 'forty-two'],
    ['100', 'one hundred'],
    ['115', 'one hundred fifteen'],
    ['1,234', 'one thousand two hundred thirty-four'],
    ['1,000,000', 'one million'],
    ['2,345,678', 'two million three hundred forty-five thousand six hundred seventy-eight'],
    ['-5', 'minus five'],
    ['3.14', 'three point one four'],
    ['0.5', 'zero point five'],
    ['1st', 'first'],
    ['2nd', 'second'],
    ['3rd', 'third'],
    ['12th', 'twelfth'],
    ['21st', 'twenty-first'],
    ['30th', 'thirtieth'],
    ['1/2', 'one half'],
    ['3/4 cup', 'three quarters cup'],
    ['10-15 days', 'ten to fifteen days'],
    ['version 1.2.3', 'version one dot two dot three'],
    ['order 12345678', 'order one two three, four five six, seven eight'],
  ],
  dates: [
    ['11/15/2026', 'November fifteenth, twenty twenty-six'],
    ['2026-11-15', 'November fifteenth, twenty twenty-six'],
    ['15/11/2026', 'November fifteenth, twenty twenty-six'],
    ['November 15, 2026', 'November fifteenth, twenty twenty-six'],
    ['Nov. 1, 1999', 'November first, nineteen ninety-nine'],
    ['July 4', 'July fourth'],
    ['July 4th', 'July fourth'],
    ['15 November 2026', 'the fifteenth of November, twenty twenty-six'],
    ['on the 5th of May', 'on the fifth of May'],
    ['in 1984', 'in nineteen eighty-four'],
    ['since 2005', 'since two thousand five'],
    ['in 1900', 'in nineteen hundred'],
    ['the 1990s', 'the nineteen nineties'],
    ['2019-2026', 'twenty nineteen to twenty twenty-six'],
    ['between 2019 and 2026', 'between twenty nineteen and twenty twenty-six'],
  ],
  times: [
    ['2:30 pm', 'two thirty p m'],
    ['2:30 PM', 'two thirty p m'],
    ['9:05 a.m.', 'nine oh five a m'],
    ['at 9:00', "at nine o'clock"],
    ['10 am', 'ten a m'],
    ['14:30', 'two thirty p m'],
    ['0:15', 'twelve fifteen a m'],
    ['12:00 pm', 'twelve p m'],
    ['Mon-Fri 9am-5pm', 'Monday to Friday nine a m to five p m'],
    ['10:00-11:30', "ten o'clock to eleven thirty"],
  ],
  money: [
    ['$1,234.56', 'one thousand two hundred thirty-four dollars and fifty-six cents'],
    ['$1', 'one dollar'],
    ['$0.99', 'ninety-nine cents'],
    ['$2.5 million', 'two point five million dollars'],
    ['US$ 20', 'twenty dollars'],
    ['€5', 'five euros'],
    ['£1.01', 'one pound and one penny'],
    ['-$10', 'minus ten dollars'],
    ['$10-$15', 'ten dollars to fifteen dollars'],
    ['$9.99/mo', 'nine dollars and ninety-nine cents per month'],
    ['$1.234,50', 'one thousand two hundred thirty-four dollars and fifty cents'],
    ['$5k', 'five thousand dollars'],
    ['$2M', 'two million dollars'],
    ['100 USD', 'one hundred dollars'],
  ],
  'percentages and measures': [
    ['12.5%', 'twelve point five percent'],
    ['10-15%', 'ten to fifteen percent'],
    ['5 km', 'five kilometers'],
    ['1 mi', 'one mile'],
    ['60 mph', 'sixty miles per hour'],
    ['6 ft', 'six feet'],
    ['16 GB', 'sixteen gigabytes'],
    ['72°F', 'seventy-two degrees Fahrenheit'],
    ['150 lbs', 'one hundred fifty pounds'],
    ['30 min.', 'thirty minutes.'],
  ],
  'telephones and codes': [
    ['(415) 555-2671', 'four one five, five five five, two six seven one'],
    ['415-555-2671', 'four one five, five five five, two six seven one'],
    ['+1 (415) 555-2671', 'plus one, four one five, five five five, two six seven one'],
    ['+14155552671', 'plus one, four one five, five five five, two six seven one'],
    ['1-800-555-0199', 'one, eight hundred, five five five, zero one nine nine'],
    ['your code is 4821', 'your code is four eight two one'],
    ['order #A-1029', 'order number A one zero two nine'],
    ['555-2671', 'five five five, two six seven one'],
    ['San Francisco, CA 94105', 'San Francisco, CA nine four one zero five'],
    ['+55 11 91234-5678', 'plus fifty-five, one one, nine one two three four, five six seven eight'],
  ],
  addresses: [
    ['ann.lee@example.com', 'ann dot lee at example dot com'],
    ['www.example.com', 'w w w dot example dot com'],
    ['https://ramal.io/help', 'ramal dot i o slash help'],
  ],
  abbreviations: [
    ['Mr. Smith and Mrs. Jones', 'Mister Smith and Missus Jones'],
    ['Dr. Lee', 'Doctor Lee'],
    ['12 Main St.', 'twelve Main Street'],
    ['St. Mary', 'Saint Mary'],
    ['Fifth Ave.', 'Fifth Avenue.'],
    ['No. 5', 'number five'],
    ['No. I can wait.', 'No. I can wait.'],
    ['apples, pears, etc.', 'apples, pears, et cetera.'],
    ['e.g. this', 'for example this'],
    ['Acme Inc. is here', 'Acme Incorporated is here'],
    ['Henry VIII', 'Henry the eighth'],
    ['World War II', 'World War two'],
    ['So do I.', 'So do I.'],
    ['When I met Mary I was the part I like.', 'When I met Mary I was the part I like.'],
  ],
  signs: [
    ['R&D', 'R and D'],
    ['2 + 2 = 4', 'two plus two equals four'],
    ['#1', 'number one'],
    ['press #', 'press pound'],
    ['yes/no', 'yes slash no'],
    ['C++', 'C plus plus'],
    ['v2.0', 'v two dot zero'],
    ['3:1', 'three to one'],
    ['24/7', 'twenty-four by seven'],
  ],
}

for (const [group, table] of Object.entries(cases))
  for (const [written, said] of table)
    test(`en-US, ${group}: ${written}`, () => {
      assert.equal(normalise(written, 'en-US'), said)
      assert.equal(normalise(said, 'en-US'), said, 'what is said already is not changed again')
    })

test('a British date is read with the day first', () => {
  assert.equal(normalise('03/04/2026', 'en-GB'), 'April third, twenty twenty-six')
  assert.equal(normalise('03/04/2026', 'en-US'), 'March fourth, twenty twenty-six')
})
