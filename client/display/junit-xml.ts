import { escapeXml } from '#core/values/xml.ts';
import { makePrintableLine } from '../command-line/text.ts';

/** A figure that a report states beside what it says: its name and its value. */
type JunitProperty = readonly [name: string, value: string | number];

/** One test of a JUnit report. */
export interface JunitCase {
  /** What the test is of, such as an agent. */
  readonly subject: string;
  readonly name: string;
  /** `null` for a test that passed. */
  readonly kind: 'failure' | 'error' | 'skipped' | null;
  /** Why it did not pass. */
  readonly text: string;
  readonly properties?: readonly JunitProperty[];
}

/** Tests that belong together. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  readonly properties?: readonly JunitProperty[];
}

/** Formats suites as JUnit XML: one suite is the document's root, several are in `testsuites`. */
export function junitXml(suites: readonly JunitSuite[]): string {
  const lines = suites.flatMap(suiteLines);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...(suites.length === 1 ? lines : ['<testsuites>', ...lines, '</testsuites>']),
    '',
  ].join('\n');
}

function suiteLines({ name, cases, properties = [] }: JunitSuite): string[] {
  const count = (kind: JunitCase['kind']): number => cases.filter((each) => each.kind === kind).length;
  const skipped = count('skipped') === 0 ? '' : ` skipped="${count('skipped')}"`;
  return [
    `<testsuite name="${attributeText(name)}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"${skipped}>`,
    ...(properties.length === 0 ? [] : [`  ${propertiesElement(properties)}`]),
    ...cases.map((each) => `  ${caseElement(each)}`),
    '</testsuite>',
  ];
}

function caseElement({ subject, name, kind, text, properties = [] }: JunitCase): string {
  const open = `<testcase classname="${attributeText(subject)}" name="${attributeText(name)}"`;
  const inside = [
    ...(properties.length === 0 ? [] : [propertiesElement(properties)]),
    ...(kind === null ? [] : [`<${kind} message="${attributeText(text)}"/>`]),
  ].join('');
  return inside === '' ? `${open}/>` : `${open}>${inside}</testcase>`;
}

const propertiesElement = (properties: readonly JunitProperty[]): string =>
  `<properties>${properties.map(([name, value]) => `<property name="${attributeText(name)}" value="${attributeText(String(value))}"/>`).join('')}</properties>`;

const attributeText = (text: string): string => escapeXml(makePrintableLine(text));
