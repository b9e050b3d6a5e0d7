import { describe, expect, test } from 'vitest';
import { makeTxtQuery, readTxtAnswer } from '#core/catalog/hosts/dns-message.ts';

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));
const hexOf = (text: string): string => Buffer.from(text).toString('hex');

/** The name a.example, and a pointer to it in the question. */
const [name, pointer] = ['01 61 07 6578616d706c65 00', 'c00c'];
const question = `${name} 0010 0001`;
const header = (flags: string, answers: string): string => `0000 ${flags} 0001 ${answers} 0000 0000`;
const record = (owner: string, type: string, data: string): string =>
  `${owner} ${type} 0001 0000012c ${(data.replaceAll(/\s/g, '').length / 2).toString(16).padStart(4, '0')} ${data}`;

describe('a query for TXT records', () => {
  test('is the message of RFC 1035 with the id that RFC 8484 wants', () => {
    expect(makeTxtQuery('a.example')).toEqual(bytes(`0000 0100 0001 0000 0000 0000 ${question}`));
  });

  test('is refused for what is no name', () => {
    for (const wrong of [
      '',
      'a..example',
      `${'x'.repeat(64)}.example`,
      `${'abc.'.repeat(63)}ab`,
      'ä.example',
      'a b.example',
    ])
      expect(makeTxtQuery(wrong), wrong).toBeNull();
    expect(makeTxtQuery(`${'abc.'.repeat(63)}a`)).not.toBeNull();
  });
});

describe('an answer', () => {
  const text = `03 ${hexOf('one')} 04 ${hexOf(' two')}`;

  test('has the texts of its TXT records, put together from their parts', () => {
    const other = `05 ${hexOf('three')}`;
    const message = `${header('8180', '0002')} ${question} ${record(pointer, '0010', text)} ${record(name, '0010', other)}`;
    expect(readTxtAnswer(bytes(message))).toEqual({ ok: true, value: ['one two', 'three'] });
  });

  test('may lead there over an alias', () => {
    const alias = record(pointer, '0005', '01 62 c00e');
    const message = `${header('8180', '0002')} ${question} ${alias} ${record('01 62 c00e', '0010', text)}`;
    expect(readTxtAnswer(bytes(message))).toEqual({ ok: true, value: ['one two'] });
  });

  test('has none if the name does not exist', () => {
    expect(readTxtAnswer(bytes(`${header('8183', '0000')} ${question}`))).toEqual({ ok: true, value: [] });
  });

  test('says with which code the resolver failed, and that it was cut', () => {
    const failed = readTxtAnswer(bytes(`${header('8182', '0000')} ${question}`));
    expect(failed).toEqual({ ok: false, problem: { reason: 'code', code: 2 } });
    const cut = readTxtAnswer(bytes(`${header('8380', '0000')} ${question}`));
    expect(cut).toEqual({ ok: false, problem: { reason: 'cut' } });
  });

  test('that is broken at any place is refused, and none makes the reader fail', () => {
    const whole = bytes(`${header('8180', '0001')} ${question} ${record(pointer, '0010', text)}`);
    const malformed = { ok: false, problem: { reason: 'malformed' } };
    for (let length = 0; length < whole.length; length += 1)
      expect(readTxtAnswer(whole.subarray(0, length)), String(length)).toEqual(malformed);
    expect(readTxtAnswer(bytes(`${header('0100', '0000')} ${question}`))).toEqual(malformed);
    const tooLong = record(pointer, '0010', '09 6f6e65');
    expect(readTxtAnswer(bytes(`${header('8180', '0001')} ${question} ${tooLong}`))).toEqual(malformed);
    const noName = record('40 6f', '0010', text);
    expect(readTxtAnswer(bytes(`${header('8180', '0001')} ${question} ${noName}`))).toEqual(malformed);
    for (let place = 0; place < whole.length; place += 1)
      for (const changed of [0, 1, 0x3f, 0x40, 0xc0, 0xff]) readTxtAnswer(whole.with(place, changed));
  });
});
