extension FormatSamples {
  /// What is no condition, with the errors.
  package static let bad = FormatSamples(
    #"""
     ⇒ Cannot read the condition "": expected a condition, found the end, at character 1.
        ⇒ Cannot read the condition "   ": expected a condition, found the end, at character 4.
    age ⇒ Cannot read the condition "age": a value stands where a condition is expected, at character 1. For a truth value write age == YES.
    name ⇒ Cannot read the condition "name": a value stands where a condition is expected, at character 1. For a truth value write name == YES.
    age AND name == "x" ⇒ Cannot read the condition "age AND name == "x"": a value stands where a condition is expected, at character 1. For a truth value write age == YES.
    age == ⇒ Cannot read the condition "age ==": expected a value, found the end, at character 7.
    age ==  ⇒ Cannot read the condition "age == ": expected a value, found the end, at character 8.
    == 18 ⇒ Cannot read the condition "== 18": expected a condition, found "==", at character 1.
    age 18 ⇒ Cannot read the condition "age 18": expected a comparison such as ==, found "18", at character 5.
    age == 18 19 ⇒ Cannot read the condition "age == 18 19": expected AND, OR or the end, found "19", at character 11.
    age == 18 name == "x" ⇒ Cannot read the condition "age == 18 name == "x"": expected AND, OR or the end, found "name", at character 11.
    age >> 5 ⇒ Cannot read the condition "age >> 5": expected a value, found ">", at character 6.
    age >== 5 ⇒ Cannot read the condition "age >== 5": expected a value, found "=", at character 7.
    age === 5 ⇒ Cannot read the condition "age === 5": expected a value, found "=", at character 7.
    age == == 5 ⇒ Cannot read the condition "age == == 5": expected a value, found "==", at character 8.
    age ! ⇒ Cannot read the condition "age !": expected a comparison such as ==, found "!", at character 5.
    !  ⇒ Cannot read the condition "! ": expected a condition, found the end, at character 3.
    NOT ⇒ Cannot read the condition "NOT": expected a condition, found the end, at character 4.
    age == 5 AND ⇒ Cannot read the condition "age == 5 AND": expected a condition, found the end, at character 13.
    age == 5 OR ⇒ Cannot read the condition "age == 5 OR": expected a condition, found the end, at character 12.
    AND age == 5 ⇒ Cannot read the condition "AND age == 5": expected a condition, found "AND", at character 1. For a property of that name write #AND.
    age == 5 AND AND b == 1 ⇒ Cannot read the condition "age == 5 AND AND b == 1": expected a condition, found "AND", at character 14. For a property of that name write #AND.
    age == 5 & b == 1 ⇒ Cannot read the condition "age == 5 & b == 1": a condition stands where a value is expected, at character 1.
    age == 5 | b == 1 ⇒ Cannot read the condition "age == 5 | b == 1": a condition stands where a value is expected, at character 1.
    (age == 5 ⇒ Cannot read the condition "(age == 5": expected AND, OR or ")", found the end, at character 10.
    age == 5) ⇒ Cannot read the condition "age == 5)": expected AND, OR or the end, found ")", at character 9.
    ((age == 5) ⇒ Cannot read the condition "((age == 5)": expected AND, OR or ")", found the end, at character 12.
    () ⇒ Cannot read the condition "()": expected a condition, found ")", at character 2.
    (age ⇒ Cannot read the condition "(age": expected a comparison such as ==, found the end, at character 5.
    age == (5 ⇒ Cannot read the condition "age == (5": expected a comparison such as ==, found the end, at character 10.
    age == ) ⇒ Cannot read the condition "age == )": expected a value, found ")", at character 8.
    {1, 2} ⇒ Cannot read the condition "{1, 2}": a value stands where a condition is expected, at character 1.
    age IN {1, 2 ⇒ Cannot read the condition "age IN {1, 2": expected a comma or "}", found the end, at character 13.
    age IN {1, 2) ⇒ Cannot read the condition "age IN {1, 2)": expected a comma or "}", found ")", at character 13.
    age IN {1,} ⇒ Cannot read the condition "age IN {1,}": expected a value, found "}", at character 11.
    age IN {,1} ⇒ Cannot read the condition "age IN {,1}": expected a value, found ",", at character 9.
    age IN {1 2} ⇒ Cannot read the condition "age IN {1 2}": expected a comma or "}", found "2", at character 11.
    age IN 5 6 ⇒ Cannot read the condition "age IN 5 6": expected AND, OR or the end, found "6", at character 10.
    age IN (1, 2) ⇒ Cannot read the condition "age IN (1, 2)": expected a comparison such as ==, found ",", at character 10.
    age IN {{1}, 2} ⇒ Cannot read the condition "age IN {{1}, 2}": a list stands in a list, at character 9.
    age NOT == 1 ⇒ Cannot read the condition "age NOT == 1": expected a comparison such as ==, found "NOT", at character 5. For the opposite write NOT (name == 1).
    min(age) > 3 ⇒ Cannot read the condition "min(age) > 3": the function min is written min:, at character 1. Write min:(skills.level), or skills.@min.level.
    average(age) > 3 ⇒ Cannot read the condition "average(age) > 3": the function average is written average:, at character 1. Write average:(skills.level), or skills.@avg.level.
    length(name) > 3 ⇒ Cannot read the condition "length(name) > 3": the function length is written length:, at character 1. Write length:(name).
    a == 1 & b == 2 ⇒ Cannot read the condition "a == 1 & b == 2": a condition stands where a value is expected, at character 1.
    age BETWEEN 1 AND 5 ⇒ Cannot read the condition "age BETWEEN 1 AND 5": expected a list of two values, such as {1, 5}, at character 13.
    age BETWEEN {1} ⇒ Cannot read the condition "age BETWEEN {1}": expected a list of two values, such as {1, 5}, at character 13.
    age BETWEEN {1, 2, 3} ⇒ Cannot read the condition "age BETWEEN {1, 2, 3}": expected a list of two values, such as {1, 5}, at character 13.
    age BETWEEN {} ⇒ Cannot read the condition "age BETWEEN {}": expected a list of two values, such as {1, 5}, at character 13.
    age == {1, 2} ⇒ Cannot read the condition "age == {1, 2}": a list stands where one value is expected, at character 8.
    age < 5 < 6 ⇒ Cannot read the condition "age < 5 < 6": a condition stands where a value is expected, at character 1.
    age == (b == 1) ⇒ Cannot read the condition "age == (b == 1)": a condition stands where a value is expected, at character 9.
    (age == 1) == 1 ⇒ Cannot read the condition "(age == 1) == 1": a condition stands where a value is expected, at character 2.
    (age == 1) + 1 ⇒ Cannot read the condition "(age == 1) + 1": a condition stands where a value is expected, at character 2.
    NOT age ⇒ Cannot read the condition "NOT age": a value stands where a condition is expected, at character 5. For a truth value write age == YES.
    NOT 5 ⇒ Cannot read the condition "NOT 5": a value stands where a condition is expected, at character 5.
    "x" ⇒ Cannot read the condition ""x"": a value stands where a condition is expected, at character 1.
    5 ⇒ Cannot read the condition "5": a value stands where a condition is expected, at character 1.
    nil ⇒ Cannot read the condition "nil": a value stands where a condition is expected, at character 1.
    name == "x ⇒ Cannot read the condition "name == "x": a text that begins with " and does not end, at character 9.
    name == 'x ⇒ Cannot read the condition "name == 'x": a text that begins with ' and does not end, at character 9.
    name == "x\" ⇒ Cannot read the condition "name == "x\"": a text that begins with " and does not end, at character 9.
    name == "\d" ⇒ Cannot read the condition "name == "\d"": unknown escape "\d", at character 10. For a backslash write two; in a Swift literal, four, or a raw one: #"\\d"#.
    name MATCHES "\d+" ⇒ Cannot read the condition "name MATCHES "\d+"": unknown escape "\d", at character 15. For a backslash write two; in a Swift literal, four, or a raw one: #"\\d"#.
    name == "\u12" ⇒ Cannot read the condition "name == "\u12"": an escape without the 4 digits of a character, at character 10.
    name == "\u{12}" ⇒ Cannot read the condition "name == "\u{12}"": an escape without the 4 digits of a character, at character 10.
    name == "\x+1" ⇒ Cannot read the condition "name == "\x+1"": an escape without the 2 digits of a character, at character 10.
    name == "\UFFFFFFFF" ⇒ Cannot read the condition "name == "\UFFFFFFFF"": an escape without the 8 digits of a character, at character 10.
    name == “x” ⇒ Cannot read the condition "name == “x”": expected a value, found "“", at character 9.
    age == 12abc ⇒ Cannot read the condition "age == 12abc": "12abc" is no number, at character 8.
    age == 1e ⇒ Cannot read the condition "age == 1e": expected a digit, found the end, at character 10.
    age == 0x ⇒ Cannot read the condition "age == 0x": expected a digit, found the end, at character 10.
    age == 0b2 ⇒ Cannot read the condition "age == 0b2": expected a digit, found "2", at character 10.
    age == 1e999 ⇒ Cannot read the condition "age == 1e999": a number beyond what a Double holds, at character 8.
    age == 99999999999999999999 ⇒ Cannot read the condition "age == 99999999999999999999": a number beyond 64 bits, at character 8. Write it with a fraction, or give a Decimal as %@.
    age == 9223372036854775808 ⇒ Cannot read the condition "age == 9223372036854775808": a number beyond 64 bits, at character 8. Write it with a fraction, or give a Decimal as %@.
    age == -9223372036854775809 ⇒ Cannot read the condition "age == -9223372036854775809": a number beyond 64 bits, at character 9. Write it with a fraction, or give a Decimal as %@.
    age == 1.2.3 ⇒ Cannot read the condition "age == 1.2.3": expected AND, OR or the end, found ".3", at character 11.
    age == 5; ⇒ Cannot read the condition "age == 5;": expected AND, OR or the end, found ";", at character 9.
    age == 5; DROP TABLE ZPERSON ⇒ Cannot read the condition "age == 5; DROP TABLE ZPERSON": expected AND, OR or the end, found ";", at character 9.
    age == 5 /* comment */ ⇒ Cannot read the condition "age == 5 /* comment */": expected a value, found "*", at character 11.
    age == 5 UNION SELECT 1 ⇒ Cannot read the condition "age == 5 UNION SELECT 1": expected AND, OR or the end, found "UNION", at character 10.
    name = 'x' OR 1 ⇒ Cannot read the condition "name = 'x' OR 1": a value stands where a condition is expected, at character 15.
    name == "x" LIMIT 5 ⇒ Cannot read the condition "name == "x" LIMIT 5": expected AND, OR or the end, found "LIMIT", at character 13.
    a. ⇒ Cannot read the condition "a.": expected the name of a property, found the end, at character 3.
    a..b == 1 ⇒ Cannot read the condition "a..b == 1": expected the name of a property, found ".", at character 3.
    .a == 1 ⇒ Cannot read the condition ".a == 1": expected a condition, found ".", at character 1.
    a.5 == 1 ⇒ Cannot read the condition "a.5 == 1": expected a comparison such as ==, found ".5", at character 2.
    a.== 1 ⇒ Cannot read the condition "a.== 1": expected the name of a property, found "==", at character 3.
    a.# ⇒ Cannot read the condition "a.#": expected the name of a property, found the end, at character 4.
    # == 1 ⇒ Cannot read the condition "# == 1": expected the name of a property, found " ", at character 2.
    $ == 1 ⇒ Cannot read the condition "$ == 1": expected the name of a variable, found " ", at character 2.
    $x == 1 ⇒ Cannot read the condition "$x == 1": the variable $x has no value, at character 1.
    $age == 1 ⇒ Cannot read the condition "$age == 1": the variable $age has no value, at character 1.
    age == %@ ⇒ Cannot read the condition "age == %@": argument 1 is missing for %@, at character 8.
    %K == 1 ⇒ Cannot read the condition "%K == 1": argument 1 is missing for %K, at character 1.
    age == % ⇒ Cannot read the condition "age == %": a percent sign without @, K, d, f or s, at character 8. In quotes it needs no other one.
    age == %z ⇒ Cannot read the condition "age == %z": a percent sign without @, K, d, f or s, at character 8. In quotes it needs no other one.
    age == 5 %% 2 ⇒ Cannot read the condition "age == 5 %% 2": a percent sign outside of quotes, at character 10. What division leaves is modulus:by:(a, b).
    age == %l ⇒ Cannot read the condition "age == %l": a percent sign without @, K, d, f or s, at character 8. In quotes it needs no other one.
    ANY ⇒ Cannot read the condition "ANY": expected the path of a relationship, found the end, at character 4.
    ANY age ⇒ Cannot read the condition "ANY age": a value stands where a condition is expected, at character 5. For a truth value write age == YES.
    ANY AND ⇒ Cannot read the condition "ANY AND": expected the path of a relationship, found "AND", at character 5. For a property of that name write #AND.
    ANY (skills) ⇒ Cannot read the condition "ANY (skills)": a value stands where a condition is expected, at character 6. For a truth value write skills == YES.
    skills.@ ⇒ Cannot read the condition "skills.@": expected count, sum, avg, min or max, found the end, at character 9.
    skills.@foo == 1 ⇒ Cannot read the condition "skills.@foo == 1": unknown @foo, at character 8.
    skills.@cuont > 1 ⇒ Cannot read the condition "skills.@cuont > 1": unknown @cuont, at character 8. Did you mean "@count"?
    skills.@sum > 1 ⇒ Cannot read the condition "skills.@sum > 1": expected a property behind @sum, at character 1.
    skills.@sum.(level > 1 ⇒ Cannot read the condition "skills.@sum.(level > 1": expected ")", found the end, at character 23.
    skills.@sum.() > 1 ⇒ Cannot read the condition "skills.@sum.() > 1": expected a value, found ")", at character 14.
    skills.@unionOfObjects.name == "x" ⇒ Cannot read the condition "skills.@unionOfObjects.name == "x"": @unionOfObjects has no meaning here, at character 8. Gather with @count, @sum, @avg, @min or @max.
    skills.@distinctUnionOfObjects.name == "x" ⇒ Cannot read the condition "skills.@distinctUnionOfObjects.name == "x"": @distinctUnionOfObjects has no meaning here, at character 8. Gather with @count, @sum, @avg, @min or @max.
    skills[0] == 1 ⇒ Cannot read the condition "skills[0] == 1": an object by its place has no meaning here, at character 8. Only [SIZE] of a relationship is known; ask with ANY, or fetch and look.
    skills[FIRST].name == "x" ⇒ Cannot read the condition "skills[FIRST].name == "x"": an object by its place has no meaning here, at character 8. Only [SIZE] of a relationship is known; ask with ANY, or fetch and look.
    skills[LAST] == 1 ⇒ Cannot read the condition "skills[LAST] == 1": an object by its place has no meaning here, at character 8. Only [SIZE] of a relationship is known; ask with ANY, or fetch and look.
    skills[SIZE == 1 ⇒ Cannot read the condition "skills[SIZE == 1": expected "]", found "==", at character 13.
    @count > 1 ⇒ Cannot read the condition "@count > 1": expected a condition, found "@count", at character 1.
    (skills).@count > 1 ⇒ Cannot read the condition "(skills).@count > 1": @count is of a to-many relationship alone, at character 10.
    (employer).name == "x" ⇒ Cannot read the condition "(employer).name == "x"": name is a property of no object, at character 12. Only paths, such as employer.name, have properties.
    5.name == 1 ⇒ Cannot read the condition "5.name == 1": name is a property of no object, at character 3. Only paths, such as employer.name, have properties.
    "x".length == 1 ⇒ Cannot read the condition ""x".length == 1": length is a property of no object, at character 5. Only paths, such as employer.name, have properties.
    name ==[x] "a" ⇒ Cannot read the condition "name ==[x] "a"": expected an option: c, d or n, found "x", at character 9.
    name ==[cl] "a" ⇒ Cannot read the condition "name ==[cl] "a"": the option l has no meaning here, at character 10. Texts are compared alike in every place of the world: [cd], or nothing.
    name ==[c "a" ⇒ Cannot read the condition "name ==[c "a"": expected an option: c, d or n, found " ", at character 10.
    SUBQUERY ⇒ Cannot read the condition "SUBQUERY": a value stands where a condition is expected, at character 1. For a truth value write #SUBQUERY == YES.
    SUBQUERY(skills ⇒ Cannot read the condition "SUBQUERY(skills": expected a comma, found the end, at character 16.
    SUBQUERY(skills, x, $x.level > 3).@count > 0 ⇒ Cannot read the condition "SUBQUERY(skills, x, $x.level > 3).@count > 0": expected a variable such as $x, found "x", at character 18.
    SUBQUERY(skills, $x).@count > 0 ⇒ Cannot read the condition "SUBQUERY(skills, $x).@count > 0": expected a comma, found ")", at character 20.
    SUBQUERY(skills, $x, $x.level).@count > 0 ⇒ Cannot read the condition "SUBQUERY(skills, $x, $x.level).@count > 0": a value stands where a condition is expected, at character 22. For a truth value write level == YES.
    SUBQUERY(skills, $x, $x.level > 3) > 0 ⇒ Cannot read the condition "SUBQUERY(skills, $x, $x.level > 3) > 0": expected .@count behind a SUBQUERY, at character 1.
    SUBQUERY(skills, $x, $x.level > 3).level > 0 ⇒ Cannot read the condition "SUBQUERY(skills, $x, $x.level > 3).level > 0": level is a property of no object, at character 36. Only paths, such as employer.name, have properties.
    SUBQUERY(skills, $x, $x.level > 3) ⇒ Cannot read the condition "SUBQUERY(skills, $x, $x.level > 3)": a value stands where a condition is expected, at character 1.
    SUBQUERY(5, $x, $x.level > 3).@count > 0 ⇒ Cannot read the condition "SUBQUERY(5, $x, $x.level > 3).@count > 0": expected the path of a relationship, at character 10.
    SUBQUERY(skills, $x, level > 3).@count > 0 ⇒ Cannot read the condition "SUBQUERY(skills, $x, level > 3).@count > 0": level is of no object that the SUBQUERY goes through, at character 22. Write $x.level; other objects are out of reach.
    SUBQUERY(skills, $x, SELF.level > 3).@count > 0 ⇒ Cannot read the condition "SUBQUERY(skills, $x, SELF.level > 3).@count > 0": SELF is of no object that the SUBQUERY goes through, at character 22. Write $x; other objects are out of reach.
    SUBQUERY(skills, $x, $y.level > 3).@count > 0 ⇒ Cannot read the condition "SUBQUERY(skills, $x, $y.level > 3).@count > 0": the variable $y has no value, at character 22.
    SUBQUERY(staff, $p, SUBQUERY($p.skills, $s, $s.level > $p.age).@count > 0).@count > 0 ⇒ Cannot read the condition "…ERY(staff, $p, SUBQUERY($p.skills, $s, $s.level > $p.age).@count > 0).@count > 0": $p is the variable of a SUBQUERY further out, at character 56. A SUBQUERY asks of its own objects alone.
    SUBQUERY(skills, $x, $x.level > 3, 4).@count > 0 ⇒ Cannot read the condition "SUBQUERY(skills, $x, $x.level > 3, 4).@count > 0": expected AND, OR or ")", found ",", at character 34.
    TERNARY(age > 5, 1) == 1 ⇒ Cannot read the condition "TERNARY(age > 5, 1) == 1": TERNARY takes 3 parts between commas, at character 19.
    TERNARY(age, 1, 2) == 1 ⇒ Cannot read the condition "TERNARY(age, 1, 2) == 1": a value stands where a condition is expected, at character 9. For a truth value write age == YES.
    TERNARY(age > 5, 1, 2, 3) == 1 ⇒ Cannot read the condition "TERNARY(age > 5, 1, 2, 3) == 1": expected ")", found ",", at character 22.
    CAST(age) == 1 ⇒ Cannot read the condition "CAST(age) == 1": CAST takes 2 parts between commas, at character 9.
    CAST(age, NSDate) == birthday ⇒ Cannot read the condition "CAST(age, NSDate) == birthday": expected the name of a type in quotes, at character 11.
    CAST(age, "NSDat") == birthday ⇒ Cannot read the condition "CAST(age, "NSDat") == birthday": CAST knows no type "NSDat", at character 11. Did you mean "NSData"?
    CAST(age, "NSString") == "5" ⇒ Cannot read the condition "CAST(age, "NSString") == "5"": a CAST to NSString of what is no constant has no meaning here, at character 1. Only dates and numbers are cast in a store.
    CAST("x", "NSNumber") == 5 ⇒ Cannot read the condition "CAST("x", "NSNumber") == 5": "x" is no NSNumber, at character 6.
    CAST("x", "NSDate") == birthday ⇒ Cannot read the condition "CAST("x", "NSDate") == birthday": "x" is no NSDate, at character 6.
    CAST("tomorrow", "Date") == birthday ⇒ Cannot read the condition "CAST("tomorrow", "Date") == birthday": "tomorrow" is no Date, at character 6.
    CAST("x", "ObjectID") == SELF ⇒ Cannot read the condition "CAST("x", "ObjectID") == SELF": "x" is the URI of no object of an open store, at character 6.
    FUNCTION(name) == 1 ⇒ Cannot read the condition "FUNCTION(name) == 1": FUNCTION takes a value, the name of a method in quotes, and its arguments, at character 1.
    FUNCTION(name, "hash") == 1 ⇒ Cannot read the condition "FUNCTION(name, "hash") == 1": the method hash has no meaning here, at character 16. Only lowercaseString, uppercaseString and length are known.
    FUNCTION(name, length) == 1 ⇒ Cannot read the condition "FUNCTION(name, length) == 1": FUNCTION takes a value, the name of a method in quotes, and its arguments, at character 1.
    lenght:(name) > 3 ⇒ Cannot read the condition "lenght:(name) > 3": unknown function lenght:, at character 1. Did you mean "length:"?
    sqrt:(age) > 3 ⇒ Cannot read the condition "sqrt:(age) > 3": the function sqrt: has no meaning here, at character 1. Calculate with the fetched objects.
    random() > 3 ⇒ Cannot read the condition "random() > 3": the function random has no meaning here, at character 1. Calculate with the fetched objects.
    foo(name) > 3 ⇒ Cannot read the condition "foo(name) > 3": unknown function foo, at character 1. Did you mean "now"?
    abs:(a, b) > 3 ⇒ Cannot read the condition "abs:(a, b) > 3": abs: takes 1 argument, and has 2, at character 1.
    abs:() > 3 ⇒ Cannot read the condition "abs:() > 3": abs: takes 1 argument, and has 0, at character 1.
    add:to:(a) > 3 ⇒ Cannot read the condition "add:to:(a) > 3": add:to: takes 2 arguments, and has 1, at character 1.
    now(1) > 3 ⇒ Cannot read the condition "now(1) > 3": now takes 0 arguments, and has 1, at character 1.
    sum:(5) > 3 ⇒ Cannot read the condition "sum:(5) > 3": sum: is of a path through a to-many relationship alone, at character 6. Write sum:(skills.level), or skills.@sum.
    max:({1, 2}) > 3 ⇒ Cannot read the condition "max:({1, 2}) > 3": max: is of a path through a to-many relationship alone, at character 6. Write max:(skills.level), or skills.@max.
    abs: age > 3 ⇒ Cannot read the condition "abs: age > 3": expected "(", found "age", at character 6.
    age ** 2 > 3 ⇒ Cannot read the condition "age ** 2 > 3": a power of what is not spelt out has no meaning here, at character 5. Multiply, or calculate with the fetched objects.
    0 ** -1 > 3 ⇒ Cannot read the condition "0 ** -1 > 3": a power that is no number, at character 3.
    age := 5 ⇒ Cannot read the condition "age := 5": an assignment has no meaning here, at character 5. Compare with ==.
    in == 1 ⇒ Cannot read the condition "in == 1": expected a condition, found "in", at character 1. For a property of that name write #in.
    between == 1 ⇒ Cannot read the condition "between == 1": expected a condition, found "between", at character 1. For a property of that name write #between.
    a, b == 1 ⇒ Cannot read the condition "a, b == 1": expected a comparison such as ==, found ",", at character 2.
    age == 5, ⇒ Cannot read the condition "age == 5,": expected AND, OR or the end, found ",", at character 9.
    block: == 1 ⇒ Cannot read the condition "block: == 1": unknown function block:, at character 1.
    UTI-CONFORMS-TO "x" ⇒ Cannot read the condition "UTI-CONFORMS-TO "x"": expected a comparison such as ==, found ""x"", at character 17.
    age ~ 5 ⇒ Cannot read the condition "age ~ 5": expected a comparison such as ==, found "~", at character 5.
    age == 5 ? 1 : 2 ⇒ Cannot read the condition "age == 5 ? 1 : 2": expected AND, OR or the end, found "?", at character 10.
    name == @"x" ⇒ Cannot read the condition "name == @"x"": expected count, sum, avg, min or max, found """, at character 10.
    age == +5 ⇒ Cannot read the condition "age == +5": expected a value, found "+", at character 8.
    "a" "b" ⇒ Cannot read the condition ""a" "b"": expected a comparison such as ==, found ""b"", at character 5.
    age == 5] ⇒ Cannot read the condition "age == 5]": expected AND, OR or the end, found "]", at character 9.
    age == 5} ⇒ Cannot read the condition "age == 5}": expected AND, OR or the end, found "}", at character 9.
    TRUE ⇒ Cannot read the condition "TRUE": a value stands where a condition is expected, at character 1.
    """#)
}
