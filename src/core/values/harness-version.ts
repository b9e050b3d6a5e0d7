/** The version of Sextant that is stored with everything it produces; a test keeps it equal to that of package.json. */
export const harnessVersion = 'sextant@0.2.0';
