/**
 * State of the first start, which lasts until the user chooses the next screen, although a
 * connection already exists.
 */
class Onboarding {
  isUnfinished = $state(false);
}

export const onboarding = new Onboarding();
