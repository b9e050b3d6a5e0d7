import { expect, test } from 'vitest';
import { methodsOf, ownInheritedMethods } from '../support/platform/methods.ts';

class OfPlatform {
  given = 1;

  fetch(): number {
    return this.given;
  }
}

class Middle extends OfPlatform {
  answer(): string {
    return 'middle';
  }

  claim(): string {
    return 'claimed';
  }
}

class Whole extends Middle {
  override answer(): string {
    return 'whole';
  }
}

test("a prototype owns what it inherits, but for the platform's methods, and keeps what it overrides", () => {
  ownInheritedMethods(Whole.prototype);
  expect(methodsOf(Whole.prototype).toSorted()).toEqual(['answer', 'claim']);
  expect(methodsOf(Middle.prototype)).toEqual(['answer', 'claim']);
  const whole = new Whole();
  expect([whole.answer(), whole.claim(), whole.fetch()]).toEqual(['whole', 'claimed', 1]);
});
