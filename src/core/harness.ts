/** The version of Sextant that is stored with everything it produces; the one of package.json, which a test holds. */
export const harnessVersion = 'sextant@0.2.0';
