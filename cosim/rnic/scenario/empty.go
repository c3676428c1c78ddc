package scenario

var countScenarios, lengthScenarios []Scenario
