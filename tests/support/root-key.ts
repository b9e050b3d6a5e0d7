/** The key of the workspace `main` in the tests. */
export const rootKey = 'sxt_test_root_5f1d0c7a';
